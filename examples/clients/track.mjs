// Where the nose is in a picture, with what browsers and Node 18 have: node track.mjs me.jpg [http://127.0.0.1:8080]
export async function track(picture, service = "http://127.0.0.1:8080", token = "") {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const answer = await fetch(`${service}/v1/track`, { method: "POST", body: picture, headers });
  const document = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status}: ${document.detail}`); // RFC 9457
  return document;
}

if (globalThis.process?.argv[1]?.endsWith("track.mjs")) {
  const { readFile } = await import("node:fs/promises");
  const [, , file, service] = process.argv;
  const frame = await track(await readFile(file), service);
  for (const person of frame.people) {
    const [x, y] = person.pose_landmarks[0];
    console.log(`nose at ${x.toFixed(3)} ${y.toFixed(3)} of the picture`);
  }
}
