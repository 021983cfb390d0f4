import { asProblem } from "../api/problem";
import type { TrackOptions } from "../api/options";
import { drawn } from "../api/track";
import { byId, make } from "../base/dom";
import { showProblem } from "./notice";

export interface Downloadable {
  name: string; // without ending
  picture: Blob;
  json: string;
  options: TrackOptions;
}

function save(blob: Blob, name: string): void {
  const link = make("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The click has taken hold of the blob by then; kept, the link would hold it for ever.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

async function produce(what: Downloadable, kind: string): Promise<void> {
  if (kind === "json") return save(new Blob([what.json], { type: "application/json" }), `${what.name}.json`);
  const format = kind === "svg" ? "svg" : "jpeg";
  save(await drawn(what.picture, what.options, format), `${what.name}.${kind === "svg" ? "svg" : "drawn.jpg"}`);
}

// The buttons below the picture; `current` says what they give, null while there is nothing.
export function setUpDownloads(current: () => Downloadable | null): { update: () => void } {
  const buttons = (["json", "svg", "jpeg"] as const).map((kind) => {
    const button = byId<HTMLButtonElement>(`download-${kind}`);
    button.addEventListener("click", () => {
      const what = current();
      if (!what) return;
      button.disabled = true;
      produce(what, kind)
        .catch((thrown: unknown) => {
          const problem = asProblem(thrown);
          if (problem) showProblem(problem);
        })
        .finally(update);
    });
    return button;
  });
  const update = (): void => {
    for (const button of buttons) button.disabled = current() === null;
  };
  update();
  return { update };
}
