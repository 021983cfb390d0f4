import type { Mask } from "../api/frame";

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

// The mask as a tint of that colour with its grey as opacity; the caller closes it.
export async function tintOf(mask: Mask, color: readonly [number, number, number]): Promise<ImageBitmap> {
  const grey = await createImageBitmap(new Blob([bytesOf(mask.png)], { type: "image/png" }));
  const canvas = new OffscreenCanvas(grey.width, grey.height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no 2-D canvas");
  context.drawImage(grey, 0, 0);
  grey.close();
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let i = 0; i < pixels.data.length; i += 4) {
    const alpha = pixels.data[i]! * 0.55;
    pixels.data.set([...color, alpha], i);
  }
  context.putImageData(pixels, 0, 0);
  return canvas.transferToImageBitmap();
}
