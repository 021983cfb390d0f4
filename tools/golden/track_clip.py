#!/usr/bin/env python3
"""`holostat track CLIP ...` with a clip that ffmpeg decodes: the frames are written as pictures, which the program then follows.

Takes the place of a binary for parity.py --clips:
  HOLOSTAT_BINARY=build/release/holostat ../shared/tools/parity.py --clips --binary tools/golden/track_clip.py
The decoded frames must be those that the peer was given, where golden/CLIP.framemd5 says which these were.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

DECODE = ["ffmpeg", "-v", "error", "-nostdin", "-i"]
FRAMES = ["-map", "0:v:0", "-vsync", "0", "-pix_fmt", "rgb24"]


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def hashes(framemd5):
    return [line.split(",")[-1].strip() for line in framemd5.splitlines() if line and not line.startswith("#")]


def check_frames(clip):
    golden = clip.parent / "golden" / (clip.name + ".framemd5")
    if golden.exists() and hashes(golden.read_text()) != hashes(output_of(*DECODE, str(clip), *FRAMES, "-f", "framemd5", "-")):
        sys.exit(f"{clip.name}: ffmpeg decodes other pixels than the peer was given")


def frames_a_second(clip):
    rate = output_of("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=avg_frame_rate", "-of", "csv=p=0", str(clip))
    over, under = map(int, rate.strip().split("/"))
    return over / under


def main():
    command, clip, options = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    binary = os.environ.get("HOLOSTAT_BINARY", "build/release/holostat")
    check_frames(clip)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*DECODE, str(clip), *FRAMES, "-compression_level", "1", f"{folder}/%06d.png"], check=True)
        frames = sorted(str(file) for file in pathlib.Path(folder).iterdir())
        return subprocess.run([binary, command, *frames, "--fps", repr(frames_a_second(clip)), *options]).returncode


if __name__ == "__main__":
    sys.exit(main())
