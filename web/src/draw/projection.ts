export type Point3 = readonly [number, number, number];

// How the 3-D view is looked at: angles in radians; x right, y down, z away from the eye, as in the
// world landmarks.
export interface View {
  yaw: number;
  pitch: number;
  zoom: number;
}

export const firstView: View = { yaw: 0.45, pitch: 0.2, zoom: 1 };
const steepest = 1.45;

export function turned(view: View, yaw: number, pitch: number): View {
  const p = Math.max(-steepest, Math.min(steepest, view.pitch + pitch));
  const y = view.yaw + yaw;
  return { ...view, yaw: Math.atan2(Math.sin(y), Math.cos(y)), pitch: p };
}

export function zoomed(view: View, factor: number): View {
  return { ...view, zoom: Math.max(0.4, Math.min(5, view.zoom * factor)) };
}

export function rotate([x, y, z]: Point3, { yaw, pitch }: View): Point3 {
  const [sinYaw, cosYaw, sinPitch, cosPitch] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  const [x1, z1] = [x * cosYaw + z * sinYaw, z * cosYaw - x * sinYaw];
  return [x1, y * cosPitch - z1 * sinPitch, y * sinPitch + z1 * cosPitch];
}

// Where a point lies on a screen of `width` x `height` whose shorter side shows a sphere of `radius`
// around the origin; `depth` is -1 (near) to 1 (far) on that sphere.
export function project(
  point: Point3,
  view: View,
  screen: { width: number; height: number; radius: number },
): { x: number; y: number; depth: number } {
  const [x, y, z] = rotate(point, view);
  const distance = 4 * screen.radius;
  const half = Math.min(screen.width, screen.height) / 2;
  const scale = ((half / screen.radius) * view.zoom * distance) / Math.max(distance + z, 0.1 * distance);
  return { x: screen.width / 2 + x * scale, y: screen.height / 2 + y * scale, depth: z / screen.radius };
}
