#!/usr/bin/env python3
"""Where the nose is in a picture: track.py me.jpg [http://127.0.0.1:8080]"""
import json
import sys
import urllib.error
import urllib.request


def track(picture, service="http://127.0.0.1:8080", token=None):
    request = urllib.request.Request(f"{service}/v1/track", data=picture, method="POST")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:  # it says why: RFC 9457
        sys.exit(f"{error.code}: {json.load(error)['detail']}")


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        frame = track(file.read(), *sys.argv[2:3])
    for person in frame["people"]:
        x, y, *_ = person["pose_landmarks"][0]
        print(f"nose at {x:.3f} {y:.3f} of the picture")
