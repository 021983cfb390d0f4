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
export const maskColor: readonly [number, number, number] = [0x19, 0xc3, 0xb2];
