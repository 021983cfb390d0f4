// What a line stands for, and its colour: those of the SVG and the annotated picture
// (src/render/palette.h). Left is warm, right is cool, the person's own sides.
export const palette = {
  middle: "#f4f1ea", left: "#ff8a3d", right: "#35b6ff",
  "left-palm": "#ffe0bd", "left-thumb": "#ffe04d", "left-index": "#ffbe3d", "left-middle": "#ff9a70",
  "left-ring": "#ff6b5e", "left-pinky": "#ff5c9a",
  "right-palm": "#c8e6ff", "right-thumb": "#7cf5a5", "right-index": "#3fe0c5", "right-middle": "#62d4ff",
  "right-ring": "#829cff", "right-pinky": "#c08bff",
  mesh: "rgba(255, 255, 255, 0.3)", oval: "#f4f1ea", lips: "#ff5c7a",
  "left-eye": "#ffb870", "right-eye": "#7ccbff", "left-iris": "#ffe86a", "right-iris": "#9cfff0",
} as const;

export type Tone = keyof typeof palette;

export const haloColor = "rgba(11, 16, 32, 0.6)";

type Rgb = readonly [number, number, number];
const personColors: readonly Rgb[] = [
  [0x19, 0xc3, 0xb2], [0x9b, 0x6b, 0xff], [0xff, 0xb0, 0x2e], [0x4f, 0x9d, 0xff], [0xff, 0x5f, 0x8f],
];

// Of the mask and the label of the person with that id.
export const personColor = (id: number): Rgb => personColors[Math.max(0, id - 1) % personColors.length]!;
