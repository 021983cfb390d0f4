#!/bin/sh
# Landmarks of a picture as JSON: track.sh me.jpg [http://127.0.0.1:8080]
# A service with a token: HOLOSTAT_TOKEN=... track.sh me.jpg https://tracker.example
set -eu
picture=$1
service=${2:-http://127.0.0.1:8080}
curl --silent --show-error --fail-with-body --max-time 60 --retry 3 \
  ${HOLOSTAT_TOKEN:+--header "Authorization: Bearer $HOLOSTAT_TOKEN"} \
  --data-binary "@$picture" "$service/v1/track?refine_face=true"
