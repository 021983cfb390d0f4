#!/usr/bin/env python3
"""holostat serve from outside: its start and end, its configuration, and the clients of examples/clients."""
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

import holostat
from service import Service

LITE = ("--workers", "1", "--complexity", "lite")
CLIENTS = holostat.ROOT / "examples/clients"


def serve(*args, **kwargs):
    return holostat.run("serve", *args, **kwargs)


class Running(unittest.TestCase):
    def test_clients_get_what_track_prints(self):
        wanted = holostat.track(holostat.DEMO)[0]
        nose = "nose at {:.3f} {:.3f} of the picture".format(*wanted["people"][0]["pose_landmarks"][0])
        with Service("--workers", "1") as service:
            run = lambda *command: subprocess.run([*map(str, command), holostat.DEMO, service.url], stdout=subprocess.PIPE,
                                                  timeout=60, check=True).stdout.decode()
            self.assertEqual(json.loads(run("sh", CLIENTS / "track.sh"))["people"], wanted["people"])
            self.assertEqual(run(sys.executable, CLIENTS / "track.py").strip(), nose)
            node = subprocess.run(["sh", "-c", "command -v node"], stdout=subprocess.DEVNULL)
            if node.returncode == 0:
                self.assertEqual(run("node", CLIENTS / "track.mjs").strip(), nose)
        for client in CLIENTS.iterdir():
            self.assertLessEqual(len(client.read_text().splitlines()), 30, client)

    def test_sighup_loads_the_models_anew_and_requests_go_on(self):
        with Service(*LITE, "--log-requests", "--log-format", "json") as service:
            service.process.send_signal(signal.SIGHUP)
            holostat.wait_until(lambda: any("zygote 2" in line for line in service.errors))
            load = subprocess.run([sys.executable, holostat.ROOT / "tools/load.py", service.url, "--requests", "20",
                                   "--corrupt", "0.3"], stdout=subprocess.PIPE, timeout=60, check=True)
            report = json.loads(load.stdout)
            self.assertEqual(sum(report["statuses"].values()), 20)
            self.assertLessEqual(set(report["statuses"]), {"200", "415", "422"}, report)
            ok = report["statuses"].get("200", 0)
            page = service.get("/metrics").body.decode()
            self.assertIn(f'holostat_http_requests_total{{route="/v1/track",status="200"}} {ok}\n', page)
            self.assertIn(f'holostat_stage_duration_seconds_count{{stage="infer"}} {ok}\n', page)
            self.assertEqual(service.metric("holostat_ready"), 1)
        lines = [json.loads(line) for line in service.errors]
        requests = [line for line in lines if line["event"] == "request" and line["path"] == "/v1/track"]
        self.assertEqual(len(requests), 20)

    def test_what_does_not_fit_into_the_queue_is_refused_at_once(self):
        with Service(*LITE, "--queue", "2") as service:
            load = subprocess.run([sys.executable, holostat.ROOT / "tools/load.py", service.url, "--requests", "40",
                                   "--concurrency", "20"], stdout=subprocess.PIPE, timeout=60, check=True)
            report = json.loads(load.stdout)
            self.assertEqual(set(report["statuses"]), {"200", "503"}, report)
            self.assertEqual(service.status()["queue"]["capacity"], 2)
            self.assertEqual(service.status()["totals"]["failed"], 0)

    def test_a_token_is_asked_for_and_never_told(self):
        token = "0123456789abcdef-secret"
        with Service(*LITE, "--log-requests", token=token) as service:
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(service.url + "/v1/status", timeout=30)
            self.assertEqual(refused.exception.code, 401)
            self.assertEqual(service.get("/v1/track").status, 405)
        self.assertNotIn(token, "".join(service.errors))

    def test_speaks_tls_with_a_certificate(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = f"{folder}/key.pem", f"{folder}/cert.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
                            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                           check=True, stderr=subprocess.DEVNULL)
            process = subprocess.Popen([holostat.BINARY, "serve", "--port", "0", *LITE, "--tls-certificate", certificate,
                                        "--tls-key", key], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env={**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS)})
            try:
                link = process.stdout.readline().split()[-1]
                self.assertTrue(link.startswith("https://"), link)
                trust = ssl.create_default_context(cafile=certificate)
                self.assertEqual(urllib.request.urlopen(link + "healthz", context=trust, timeout=30).status, 200)
            finally:
                process.terminate()
                errors = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 0, errors)
            self.assertIn("0 leaked", errors)

    def test_tells_the_service_manager_how_it_is(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(f"{folder}/notify")
            manager.settimeout(60)
            told = []
            def wait_for(message):
                while not told or not told[-1].startswith(message):
                    told.append(manager.recv(4096).decode())
            with Service(*LITE, env={"NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": "400000"}) as service:
                wait_for("READY=1")
                wait_for("WATCHDOG=1")
                service.process.send_signal(signal.SIGHUP)
                wait_for("RELOADING=1\nMONOTONIC_USEC=")
                wait_for("READY=1")
            wait_for("STOPPING=1")

    def test_a_log_that_nobody_reads_does_not_stop_it(self):
        process = subprocess.Popen([holostat.BINARY, "serve", "--port", "0", *LITE, "--log-requests"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env={**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS)})
        link = process.stdout.readline().split()[-1]
        for _ in range(1200):  # over 64 KB of lines
            self.assertEqual(urllib.request.urlopen(link + "healthz", timeout=30).status, 200)
        page = urllib.request.urlopen(link + "metrics", timeout=30).read().decode()
        self.assertRegex(page, r"(?m)^holostat_log_lines_dropped_total [1-9]")
        process.terminate()
        self.assertEqual(process.wait(60), 0)
        process.stdout.close()
        process.stderr.close()


class Configuration(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, text, name="holostat.toml"):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def assert_wrong(self, parts, *args, **kwargs):
        done = serve(*args, **kwargs)
        self.assertEqual(done.returncode, 2, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr.decode())

    def test_what_is_printed_is_what_it_reads(self):
        printed = serve("--print-config", "--max-body-mb", "7", "--cors-origins", "https://a.example").stdout
        again = serve("--print-config", "--config", self.file(printed.decode()))
        self.assertEqual(again.stdout, printed)
        self.assertIn(b"max_body_mb = 7\n", printed)
        self.assertIn(b"cors_origins = ['https://a.example']", printed.replace(b'"', b"'"))

    def test_flags_go_before_variables_and_variables_before_the_file(self):
        file = self.file("[http]\nport = 1\nmax_body_mb = 2\nmax_connections = 3\n")
        printed = serve("--print-config", "--config", file, "--port", "10",
                        env={"HOLOSTAT_PORT": "11", "HOLOSTAT_MAX_BODY_MB": "12"}).stdout.decode()
        for line in ("port = 10", "max_body_mb = 12", "max_connections = 3"):
            self.assertIn(line + "\n", printed)

    def test_errors_name_file_line_and_key(self):
        file = self.file("[http]\nprot = 1\nport = 'x'\n\n[access]\nmax_body_mb = 3\n[htp]\n")
        self.assert_wrong([f"{file}:2: http.prot: no such key; did you mean http.port?", f"{file}:3: http.port: must be a number",
                           f"{file}:6: access.max_body_mb: no such key; did you mean http.max_body_mb?",
                           f"{file}:7: htp: no such section"], "--check-config", "--config", file)
        self.assert_wrong([":1:"], "--check-config", "--config", self.file("[http\n"))
        self.assert_wrong(["--port", "from 0 to 65535"], "--port", "70000")
        self.assert_wrong(["HOLOSTAT_WORKERS", "whole number"], "--check-config", env={"HOLOSTAT_WORKERS": "two"})
        self.assert_wrong(["no.toml"], "--config", "/nonexistent/no.toml")

    def test_a_service_for_others_needs_a_token_or_to_be_told_so(self):
        self.assert_wrong(["--token-file", "--insecure"], "--check-config", "--address", "0.0.0.0")
        self.assertEqual(serve("--check-config", "--address", "0.0.0.0", "--insecure").returncode, 0)
        token = self.file("0123456789abcdef\n", "token")
        self.assertEqual(serve("--check-config", "--address", "0.0.0.0", "--token-file", token).returncode, 0)

    def test_a_token_file_is_read_with_care(self):
        for text in ("", " \n", "two words", "x" * 5000):
            self.assert_wrong(["token"], "--check-config", "--token-file", self.file(text, "token"))
        token = self.file("0123456789abcdef\n", "token")
        token.chmod(0o644)
        done = serve("--check-config", "--token-file", token)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"every user", done.stderr)
        self.assertNotIn(b"0123456789abcdef", done.stderr + done.stdout)

    def test_a_taken_port_is_said_with_the_flag_to_change(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.assert_wrong(["--port", str(taken.getsockname()[1])], "--port", taken.getsockname()[1], *LITE)


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
