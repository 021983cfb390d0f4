import { byId } from "../base/dom";
import type { Layers } from "../draw/figure";

export interface ShownLayers extends Layers {
  picture: boolean;
  mask: boolean;
  mirror: boolean;
}

export function shownLayers(): ShownLayers {
  const data = new FormData(byId<HTMLFormElement>("layers"));
  const has = (name: string): boolean => data.has(name);
  return {
    picture: has("picture"), body: has("body"), face: has("face"), mesh: has("mesh"),
    hands: has("hands"), mask: has("mask"), mirror: has("mirror"),
  };
}

export function onLayersChange(listener: () => void): void {
  byId("layers").addEventListener("change", listener);
}
