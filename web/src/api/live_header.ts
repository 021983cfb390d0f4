// The 24 bytes before each frame of a live session (docs/live.md), little-endian.
export const liveHeaderBytes = 24;

export interface LiveHeader {
  kind: 1 | 2 | 3; // a picture file, raw RGB, raw RGBA
  sequence: number;
  width: number; // raw only
  height: number;
  timestampUs: number;
}

export function writeLiveHeader(header: LiveHeader): ArrayBuffer {
  const bytes = new ArrayBuffer(liveHeaderBytes);
  const view = new DataView(bytes);
  view.setUint8(0, 1);
  view.setUint8(1, header.kind);
  view.setUint16(2, 0, true);
  view.setUint32(4, header.sequence, true);
  view.setUint32(8, header.width, true);
  view.setUint32(12, header.height, true);
  view.setBigInt64(16, BigInt(Math.round(header.timestampUs)), true);
  return bytes;
}
