import type { Complexity, TrackOptions } from "../api/options";
import { byId } from "../base/dom";

const form = (): HTMLFormElement => byId<HTMLFormElement>("options");

export function chosenOptions(): TrackOptions {
  const data = new FormData(form());
  return {
    complexity: (data.get("complexity") as Complexity | null) ?? "full",
    refine_face: data.has("refine_face"),
    segmentation: data.has("segmentation"),
    people: Number(data.get("people") ?? 1),
  };
}

export function onOptionsChange(listener: (options: TrackOptions) => void): void {
  form().addEventListener("change", () => listener(chosenOptions()));
}
