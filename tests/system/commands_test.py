#!/usr/bin/env python3
"""help, completion, models, doctor and bench from outside."""
import json
import subprocess
import unittest

import holostat


class Commands(unittest.TestCase):
    def test_every_command_has_help_with_examples(self):
        listing = holostat.run("--help").stdout.decode()
        for command in ("track", "serve", "bench", "models", "doctor", "top", "heap", "completion"):
            self.assertIn(command, listing)
            done = holostat.run(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn(b"Examples:", done.stdout)

    def test_no_command_and_an_unknown_one_are_usage_errors(self):
        self.assertEqual(holostat.run().returncode, 2)
        done = holostat.run("fly")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"fly", done.stderr)
        self.assertIn(b"holostat track --help", holostat.run("track").stderr)
        self.assertEqual(holostat.run("--version").returncode, 0)

    def test_completion_completes_commands_and_options(self):
        script = holostat.run("completion", "bash").stdout.decode()
        def complete(*words):
            done = subprocess.run(["bash", "-c", script + f"\nCOMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _holostat; echo ${{COMPREPLY[@]}}"],
                                  stdout=subprocess.PIPE, text=True)
            return done.stdout.split()
        self.assertEqual(complete("holostat", "tr"), ["track"])
        self.assertEqual(complete("holostat", "track", "--comp"), ["--complexity"])
        self.assertEqual(sorted(complete("holostat", "track", "--complexity", "''")), ["full", "heavy", "lite"])
        self.assertEqual(complete("holostat", "track", "--face", "t"), ["tessellation"])
        self.assertEqual(sorted(complete("holostat", "completion", "''")), ["bash", "zsh"])
        self.assertEqual(sorted(complete("holostat", "heap", "''")), ["diff", "show", "snapshot", "stop", "top"])
        self.assertEqual(complete("holostat", "heap", "top", "--wor"), ["--worker"])
        self.assertEqual(complete("holostat", "track", "''"), [], "file names, which bash adds itself")

    def test_models_are_all_verified(self):
        done = holostat.run("models", "--json")
        self.assertEqual(done.returncode, 0, done.stdout)
        states = {m["name"]: m["state"] for m in json.loads(done.stdout)["models"]}
        self.assertEqual(set(states.values()), {"ok"})

    def test_the_doctor_finds_nothing_wrong_here(self):
        done = holostat.run("doctor", "--json")
        self.assertEqual(done.returncode, 0, done.stdout)
        findings = json.loads(done.stdout)
        self.assertTrue(any("self-test: found body, face and both hands" in f["what"] for f in findings))

    def test_the_doctor_says_how_to_mend_missing_models(self):
        done = holostat.run("doctor", "--models", "/nonexistent")
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"./dev setup", done.stdout)

    def test_bench_makes_no_heap_call_a_frame(self):
        report = json.loads(holostat.run("bench", "--json", "--frames", "5").stdout)
        self.assertEqual(report["heap_calls_per_frame"], 0)
        self.assertEqual(report["frames"], 5)
        self.assertEqual(report["people"], 1)
        for key in ("cpu", "frame_ms", "stages_ms", "uss_bytes", "peak_rss_bytes"):
            self.assertIn(key, report)
        if not holostat.SANITIZED:
            self.assertLessEqual(report["uss_bytes"], 100e6)


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
