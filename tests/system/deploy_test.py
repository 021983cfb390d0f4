#!/usr/bin/env python3
"""What lies in deploy/ is true: it parses, passes the checks there are for it, and names metrics that exist."""
import json
import re
import shutil
import subprocess
import tempfile
import unittest

import holostat

DEPLOY = holostat.ROOT / "deploy"
LISTED = set(re.findall(r"^\| `(holostat_[a-z_]+)` \|", (holostat.ROOT / "docs/metrics.md").read_text(), re.M))


def metrics_in(text):
    """Each metric that it names; a histogram by its family."""
    for name in re.findall(r"\bholostat_[a-z_]+", text):
        yield re.sub(r"_(bucket|sum|count)$", "", name) if name not in LISTED else name


class Deploy(unittest.TestCase):
    def test_the_example_configuration_is_right(self):
        done = holostat.run("serve", "--check-config", "--config", DEPLOY / "holostat.toml")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_dashboard_and_rules_name_metrics_that_exist(self):
        dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
        asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        rules = re.findall(r"^\s+expr: (.+)$", (DEPLOY / "prometheus-rules.yml").read_text(), re.M)
        self.assertGreater(min(len(asked), len(rules)), 5)
        for expression in asked + rules:
            named = set(metrics_in(expression))
            self.assertTrue(named, expression)
            self.assertLessEqual(named, LISTED, expression)

    def test_yaml_parses(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("no yaml for Python (Debian: python3-yaml)")
        for file in [*DEPLOY.glob("*.yml"), *DEPLOY.glob("kubernetes/*.yaml")]:
            documents = list(yaml.safe_load_all(file.read_text()))
            self.assertTrue(all(isinstance(one, dict) for one in documents), file)

    def test_the_unit_is_one(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("no systemd-analyze")
        unit = (DEPLOY / "holostat.service").read_text().replace("/usr/bin/holostat", f'"{holostat.BINARY}"')
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/holostat.service"
            with open(file, "w") as out:
                out.write(unit)
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", file], stderr=subprocess.PIPE, text=True)
        ours = [line for line in done.stderr.splitlines() if "holostat.service" in line]
        self.assertEqual(ours, [])

    def test_the_unit_lets_workers_lock_themselves_in(self):
        # Their own filter is a call to seccomp, which @system-service does not allow.
        self.assertRegex((DEPLOY / "holostat.service").read_text(), r"(?m)^SystemCallFilter=.*\bseccomp\b")

    def test_the_flags_of_the_container_and_the_pod_exist(self):
        helped = holostat.run("serve", "--help").stdout.decode()
        for file in (DEPLOY / "Dockerfile", DEPLOY / "kubernetes/holostat.yaml"):
            for flag in re.findall(r'"(--[a-z-]+)"', file.read_text()):
                self.assertIn(flag + " ", helped)


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
