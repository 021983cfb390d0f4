"""A `holostat serve` for a test: on a free port, stopped in order, its account at the end checked."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading

import holostat


class Service:
    def __init__(self, *args, token=None, program=holostat.BINARY, env=None):
        self.token, self.errors = token, []
        command = [program, "serve", "--port", "0", *map(str, args)]
        if token is not None:
            self.token_file = tempfile.NamedTemporaryFile("w", suffix=".token")
            self.token_file.write(token + "\n")
            self.token_file.flush()
            command += ["--token-file", self.token_file.name]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS), **(env or {})})
        self.reader = threading.Thread(target=self._read_errors, daemon=True)
        self.reader.start()
        line = self.process.stdout.readline()
        found = re.search(r"https?://[^:/]+:(\d+)", line)
        assert found, f"no link: {line!r}; {''.join(self.errors)}"
        self.url, self.port = found.group(0), int(found.group(1))
        holostat.wait_until(lambda: self.get("/readyz").status == 200)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.stop()
        else:
            self.process.kill()
            self.process.wait()

    def get(self, path):
        """The answer, read: .status, .headers, .body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.body = answer.read()
            return answer
        finally:
            connection.close()

    def status(self):
        return json.loads(self.get("/v1/status").body)

    def metric(self, name):
        """The value of a metric without labels."""
        for line in self.get("/metrics").body.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        raise KeyError(name)

    def fds(self):
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def stop(self):
        """Ends it in order, and checks that it accounts for everything."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        self.reader.join(10)
        errors = "".join(self.errors)
        self.process.stdout.close()
        self.process.stderr.close()
        assert status == 0, f"exit {status}: {errors[-3000:]}"
        assert "0 leaked" in errors, errors[-3000:]
