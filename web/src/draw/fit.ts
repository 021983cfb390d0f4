export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

// The largest place for a picture of `width` x `height` in the middle of `room`, not distorted.
export function fitInside(width: number, height: number, room: { width: number; height: number }): Box {
  if (!(width > 0 && height > 0)) return { x: 0, y: 0, width: room.width, height: room.height };
  const scale = Math.min(room.width / width, room.height / height);
  const [w, h] = [width * scale, height * scale];
  return { x: (room.width - w) / 2, y: (room.height - h) / 2, width: w, height: h };
}
