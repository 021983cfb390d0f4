import { byId } from "../base/dom";

export interface Chosen {
  picture: Blob;
  name: string; // without ending
}

function named(file: File): Chosen {
  const name = file.name.replace(/\.[^.]*$/, "").slice(0, 80);
  return { picture: file, name: name || "picture" };
}

function fileOf(items: DataTransfer | null): File | null {
  return [...(items?.files ?? [])].find((file) => file.type.startsWith("image/")) ?? items?.files[0] ?? null;
}

// Pictures that are opened, dropped anywhere on the page, or pasted.
export function setUpIntake(take: (chosen: Chosen) => void): void {
  const input = byId<HTMLInputElement>("file");
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) take(named(file));
    input.value = ""; // the same file may be chosen again
  });
  byId("open").addEventListener("click", () => input.click());
  document.addEventListener("paste", (event) => {
    const file = fileOf(event.clipboardData);
    if (file) take(named(file));
  });
  setUpDrop((file) => take(named(file)));
}

function setUpDrop(take: (file: File) => void): void {
  const mark = (over: boolean): void => void document.body.classList.toggle("dropping", over);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) mark(false);
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    const file = fileOf(event.dataTransfer);
    if (file) take(file);
  });
}
