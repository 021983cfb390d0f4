import type { Problem } from "../api/problem";
import { byId } from "../base/dom";

// What stands over the picture when something is wrong.
export function showProblem(problem: Problem | { title: string; detail: string }): void {
  byId("notice-title").textContent = problem.title;
  byId("notice-detail").textContent = problem.detail;
  byId("notice").hidden = false;
}

export function clearProblem(): void {
  byId("notice").hidden = true;
}

export function setBusy(busy: boolean): void {
  byId("stage").classList.toggle("busy", busy);
  byId("stage").setAttribute("aria-busy", String(busy));
}
