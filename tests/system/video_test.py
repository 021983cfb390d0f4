#!/usr/bin/env python3
"""`holostat track` of videos from outside: time, parts, several inputs, Ctrl-C, --resume, deadlines, and constant memory."""
import contextlib
import http.server
import json
import os
import pathlib
import pty
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import holostat

# Few frames under a sanitizer, which makes each take seconds; memory is not measured there.
LONG = 100 if holostat.SANITIZED else 2500
GROWTH_LIMIT_BYTES = 1 << 20


def ffmpeg(*args):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, args)], check=True)


def make_clip(path, frames=10, size="160x120", rate=25, options=("-c:v", "libx264", "-g", "10", "-pix_fmt", "yuv420p")):
    """The demo person, moving a little."""
    width, height = size.split("x")
    ffmpeg("-loop", 1, "-framerate", rate, "-i", holostat.DEMO, "-frames:v", frames,
           "-vf", f"scale={int(width) + 20}:-2,crop={width}:{height}:'10+8*sin(n/5)':4", *options, path)
    return path


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def written_bytes(pid):
    """Private memory that was written to. Not the code of FFmpeg: 28 MB, private or shared as other processes load it, too, or end."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_Dirty")) * 1024


@contextlib.contextmanager
def silent_writer(path):
    """A named pipe that somebody holds open and writes nothing to."""
    os.mkfifo(path)
    fd = os.open(path, os.O_RDWR)
    try:
        yield
    finally:
        os.close(fd)


@contextlib.contextmanager
def http_server(folder):
    """Serves a folder, and gives its address."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(folder))

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def tcp_server(says):
    """Says some bytes to whoever comes, and then nothing; gives its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    guests = []

    def accept():
        with contextlib.suppress(OSError):
            while True:
                guests.append(listener.accept()[0])
                guests[-1].sendall(says)

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for guest in guests:
            guest.close()


class Video(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="holostat-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def start(self, *args, **kwargs):
        return subprocess.Popen([holostat.BINARY, "track", *map(str, args), "--models", holostat.MODELS],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs)

    def test_frames_have_the_numbers_and_times_of_the_source(self):
        frames = holostat.track(make_clip(self.dir / "a.mp4"))
        self.assertEqual([f["frame"] for f in frames], list(range(10)))
        self.assertEqual([f["timestamp_ms"] for f in frames], [40 * i for i in range(10)])
        self.assertEqual(frames[0]["image"], {"width": 160, "height": 120})
        self.assertTrue(all(len(f["people"]) == 1 for f in frames))

    def test_the_person_is_followed_as_through_single_pictures_of_the_video(self):
        clip = make_clip(self.dir / "a.mkv", options=("-c:v", "ffv1", "-pix_fmt", "bgr0"))
        ffmpeg("-i", clip, self.dir / "p%02d.png")
        pictures = sorted(self.dir.glob("p*.png"))
        by_video = holostat.track(clip)
        self.assertEqual(by_video, holostat.track(*pictures, "--fps", 25))
        self.assertEqual(by_video, holostat.track(self.dir / "p%02d.png", "--fps", 25))
        self.assertEqual(by_video, holostat.track("-", "--video", stdin=clip.read_bytes()))

    def test_only_the_wanted_part_is_tracked(self):
        clip = make_clip(self.dir / "a.mp4", frames=100)
        part = holostat.track(clip, "--from", "0:02", "--to", "2.4", "--every", 3)
        self.assertEqual([f["frame"] for f in part], [51, 54, 57])
        self.assertEqual([f["timestamp_ms"] for f in part], [2040, 2160, 2280])
        done = holostat.run("track", clip, "--every", 1000, "-o", self.dir / "a.jsonl")
        self.assertNotIn(b"cut off", done.stderr)
        done = holostat.run("track", clip, "--from", "1:00:00")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"no frame in this part", done.stderr)

    def test_several_videos_each_begin_anew_and_a_bad_one_stops_none(self):
        a, b = make_clip(self.dir / "a.mp4"), self.dir / "b.mp4"
        shutil.copy(a, b)
        bad = self.dir / "bad.mp4"
        bad.write_bytes(a.read_bytes()[:400])
        done = holostat.run("track", a, bad, b, "-o", self.dir / "{name}.jsonl")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"bad.mp4", done.stderr)
        self.assertIn(b"10 frames of 160x120 h264", done.stderr)
        self.assertEqual(lines_of(self.dir / "a.jsonl"), lines_of(self.dir / "b.jsonl"))
        self.assertEqual(len(lines_of(self.dir / "a.jsonl")), 10)

    def test_a_picture_after_a_video_is_tracked_on_its_own(self):
        frames = holostat.track(make_clip(self.dir / "a.mp4"), holostat.DEMO)
        after, alone = (f["people"][0]["pose_landmarks"] for f in (frames[-1], holostat.track(holostat.DEMO)[0]))
        # The filters of a video calculate the same in other units, which shows in the last digit.
        for point, other in zip(after, alone):
            for a, b in zip(point, other):
                self.assertAlmostEqual(a, b, places=5)

    def test_broken_and_odd_frames_are_counted(self):
        clip = make_clip(self.dir / "a.ts", frames=30, options=("-c:v", "libx264", "-g", "5", "-bf", "0"))
        data = bytearray(clip.read_bytes())
        middle = len(data) // 2
        data[middle:middle + 600] = os.urandom(600)
        (self.dir / "b.ts").write_bytes(data + clip.read_bytes())
        done = holostat.run("track", self.dir / "b.ts", "-o", self.dir / "b.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"odd timestamp", done.stderr)
        self.assertGreater(len(lines_of(self.dir / "b.jsonl")), 40)

    def test_a_video_that_is_cut_off_is_said_to_be(self):
        clip = make_clip(self.dir / "a.mp4", frames=100, options=("-c:v", "libx264", "-movflags", "faststart"))
        clip.write_bytes(clip.read_bytes()[:clip.stat().st_size * 6 // 10])
        done = holostat.run("track", clip, "-o", self.dir / "a.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"cut off", done.stderr)

    def test_what_is_no_video_has_its_own_message_and_code(self):
        ffmpeg("-f", "lavfi", "-i", "sine=duration=0.2", self.dir / "sound.mp4")
        (self.dir / "text.mp4").write_text("no video")
        for name, words in (("sound.mp4", b"only audio"), ("text.mp4", b"text.mp4"), ("none.mp4", b"No such file"),
                            ("p%03d.png", b"no such file")):
            done = holostat.run("track", self.dir / name, "-o", self.dir / "a.jsonl")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(words, done.stderr)
        done = holostat.run("track", make_clip(self.dir / "a.mp4"), "--max-pixels", 19199)
        self.assertEqual(done.returncode, 5, done.stderr)

    def test_an_output_that_fails_stops_no_other_and_the_last_one_ends_the_video(self):
        clip = make_clip(self.dir / "a.mp4", frames=60)
        (self.dir / "full.jsonl").symlink_to("/dev/full")
        (self.dir / "file").write_text("x")
        done = holostat.run("track", clip, "-o", self.dir / "full.jsonl", "-o", self.dir / "file/a.json", "-o", self.dir / "a.jsonl")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([f["frame"] for f in lines_of(self.dir / "a.jsonl")], list(range(60)))
        for name in ("full.jsonl", "file/a.json"):
            self.assertEqual(done.stderr.count(f"cannot write {self.dir / name}".encode()), 1, done.stderr)
        done = holostat.run("track", clip, "-o", self.dir / "full.jsonl")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"1 frame of", done.stderr)

    def test_a_source_that_says_nothing_is_given_up(self):
        start = time.monotonic()
        with silent_writer(self.dir / "pipe.mp4"):
            done = holostat.run("track", self.dir / "pipe.mp4", "--open-timeout", 0.5)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"nothing came for 0.5 s", done.stderr)
        self.assertLess(time.monotonic() - start, 60)

    def test_a_video_on_a_server_is_tracked_as_if_it_were_here(self):
        clip = make_clip(self.dir / "a.mp4", options=("-c:v", "libx264", "-movflags", "faststart"))
        ffmpeg("-i", clip, "-c", "copy", "-hls_list_size", 0, self.dir / "list.m3u8")
        here = holostat.track(clip)
        with http_server(self.dir) as address:
            self.assertEqual(holostat.track(f"{address}/a.mp4"), here)
            streamed = holostat.track(f"{address}/list.m3u8")
            self.assertEqual([f["people"] for f in streamed], [f["people"] for f in here])
            done = holostat.run("track", f"{address}/none.mp4")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"404", done.stderr)

    def test_an_address_leads_to_no_file(self):
        clip = make_clip(self.dir / "secret.ts", options=("-c:v", "libx264"))
        for target in (clip, f"file://{clip}", f"concat:{clip}", f"subfile,,start,0,end,0,,:{clip}"):
            (self.dir / "list.m3u8").write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{target}\n#EXT-X-ENDLIST\n")
            with http_server(self.dir / "..") as address:
                done = holostat.run("track", f"{address}/{self.dir.name}/list.m3u8", "--open-timeout", 5, "--read-timeout", 5)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(done.stdout, b"", target)
            self.assertNotIn(b"404", done.stderr, "the list itself is there")

    def test_a_stream_that_falls_silent_is_given_up_and_keeps_its_frames(self):
        clip = make_clip(self.dir / "a.ts", frames=200, options=("-c:v", "mpeg2video"))
        with tcp_server(clip.read_bytes()) as port:
            done = holostat.run("track", f"tcp://127.0.0.1:{port}", "-o", self.dir / "a.jsonl", "--read-timeout", 1)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"nothing came for 1 s", done.stderr)
        self.assertGreater(len(lines_of(self.dir / "a.jsonl")), 150)
        with tcp_server(b"") as port:
            for scheme in ("http", "rtsp", "rtmp", "tcp"):
                start = time.monotonic()
                done = holostat.run("track", f"{scheme}://127.0.0.1:{port}/x", "--open-timeout", 0.5)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(b"nothing came", done.stderr, scheme)
                self.assertLess(time.monotonic() - start, 30, scheme)

    def test_ctrl_c_finishes_the_files(self):
        clip = make_clip(self.dir / "a.mp4", frames=1500)
        running = self.start(clip, "-o", self.dir / "a.jsonl", "-o", self.dir / "a.json")
        holostat.wait_until(lambda: (self.dir / "a.jsonl").exists() and (self.dir / "a.jsonl").stat().st_size > 50_000)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, said)
        frames = lines_of(self.dir / "a.jsonl")
        self.assertEqual([f["frame"] for f in frames], list(range(len(frames))))
        self.assertEqual(json.loads((self.dir / "a.json").read_text())["frames"], frames)
        self.assertIn(f"{len(frames)} frames".encode(), said)

    def test_ctrl_c_ends_the_wait_for_a_source(self):
        with silent_writer(self.dir / "pipe.mp4"):
            running = self.start(self.dir / "pipe.mp4", "--open-timeout", 600)
            holostat.wait_until(lambda: "libholostat-video" in pathlib.Path(f"/proc/{running.pid}/maps").read_text())
            time.sleep(1)  # models are loaded, handlers set, the pipe is waited for
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130)

    def test_a_run_is_resumed_where_its_file_ends(self):
        clip = make_clip(self.dir / "a.mp4", frames=40)
        out = self.dir / "a.jsonl"
        holostat.run("track", clip, "--every", 2, "-o", out)
        whole = out.read_text().splitlines(keepends=True)
        out.write_text("".join(whole[:7]) + whole[7][:100])
        done = holostat.run("track", clip, "--every", 2, "-o", out, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"13 frames", done.stderr)
        resumed = out.read_text().splitlines(keepends=True)
        self.assertEqual(resumed[:7], whole[:7])
        self.assertEqual([json.loads(l)["frame"] for l in resumed], list(range(0, 40, 2)))
        self.assertEqual([json.loads(l)["timestamp_ms"] for l in resumed], [json.loads(l)["timestamp_ms"] for l in whole])
        done = holostat.run("track", clip, "--every", 2, "-o", out, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"nothing was left", done.stderr)
        self.assertEqual(out.read_text().splitlines(keepends=True), resumed)

    def test_resuming_without_a_file_is_beginning(self):
        clip = make_clip(self.dir / "a.mp4")
        for content in (None, "", "{\"schema"):
            if content is not None:
                (self.dir / "a.jsonl").write_text(content)
            done = holostat.run("track", clip, "-o", self.dir / "a.jsonl", "--resume")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(lines_of(self.dir / "a.jsonl")), 10)
            (self.dir / "a.jsonl").unlink()

    def test_another_file_is_not_continued(self):
        clip = make_clip(self.dir / "a.mp4", frames=20)
        other = make_clip(self.dir / "b.mp4", frames=20, rate=30)
        large = make_clip(self.dir / "c.mp4", frames=20, size="200x120")
        out = self.dir / "a.jsonl"
        holostat.run("track", clip, "--to", 0.3, "-o", out)
        out.write_text(out.read_text() + "{\"torn")
        before = out.read_bytes()
        for args in ((other,), (large,), (clip, "--every", 2, "--from", 0.4), (clip, "--no-refine-face")):
            done = holostat.run("track", *args, "-o", out, "--resume")
            self.assertIn(done.returncode, (2, 3), (args, done.stderr))
            self.assertIn(b"--resume", done.stderr, args)
            self.assertEqual(out.read_bytes(), before, args)
        out.write_text("notes of mine\n")
        self.assertNotEqual(holostat.run("track", clip, "-o", out, "--resume").returncode, 0)
        self.assertEqual(out.read_text(), "notes of mine\n")

    def test_wrong_calls_are_usage_errors(self):
        clip, json_lines = self.dir / "a.mp4", self.dir / "a.jsonl"
        for args in ([clip, "--from", "x"], [clip, "--from", "1:60"], [clip, "--to", 1, "--from", 2], [clip, "--every", 0],
                     [holostat.DEMO, "--from", 1], [holostat.DEMO, "--every", 2], [clip, holostat.DEMO, "--fps", 5],
                     [clip, "--resume"], [clip, "--resume", "-o", self.dir / "a.json"],
                     [clip, self.dir / "b.mp4", "--resume", "-o", json_lines], [clip, "--open-timeout", 0],
                     [clip, "-o", self.dir / "a.svg"]):
            done = holostat.run("track", *args)
            self.assertEqual(done.returncode, 2, (args, done.stderr))

    def test_a_terminal_shows_how_far_it_is(self):
        clip = make_clip(self.dir / "a.mp4", frames=60)
        ours, theirs = pty.openpty()
        running = subprocess.Popen([holostat.BINARY, "track", clip, "--models", holostat.MODELS, "-o", self.dir / "a.jsonl"],
                                   stderr=theirs, stdout=subprocess.DEVNULL)
        os.close(theirs)
        said = b""
        try:
            while chunk := os.read(ours, 65536):
                said += chunk
        except OSError:
            pass  # the program has ended
        os.close(ours)
        self.assertEqual(running.wait(timeout=60), 0)
        self.assertRegex(said, rb"\[#*\.*\] 0:0\d/0:02 [0-9.]+ fps.*1 person a?")

    def test_memory_does_not_depend_on_the_length(self):
        loop = make_clip(self.dir / "loop.mp4", frames=50)
        clip = self.dir / "long.mp4"
        ffmpeg("-stream_loop", LONG // 50 - 1, "-i", loop, "-c", "copy", clip)
        running = self.start(clip, "-o", self.dir / "a.jsonl", "-o", self.dir / "a.json", "--complexity", "lite")
        out = self.dir / "a.jsonl"
        samples = []
        while running.poll() is None:
            if out.exists() and out.stat().st_size > 0:
                try:
                    samples.append((out.stat().st_size, written_bytes(running.pid)))
                except OSError:
                    break  # it has ended
            time.sleep(0.1)
        _, said = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 0, said)
        frames = out.read_text().count("\n")
        self.assertEqual(frames, LONG)
        if holostat.SANITIZED:
            return
        total = out.stat().st_size
        warm = [written for size, written in samples if size > total / 5]
        self.assertGreater(len(warm), 20)
        half = len(warm) // 2
        growth = max(warm[half:]) - max(warm[:half])
        print(f"private and written to after warm-up: {min(warm) / 1e6:.1f} to {max(warm) / 1e6:.1f} MB over {frames} frames, "
              f"growth {growth / 1024:.0f} KiB", file=sys.stderr)
        self.assertLess(growth, GROWTH_LIMIT_BYTES)


if __name__ == "__main__":
    holostat.need_models()
    if shutil.which("ffmpeg") is None:
        print("SKIPPED: no ffmpeg command, which makes the videos")
        sys.exit(77)
    unittest.main()
