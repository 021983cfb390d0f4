// The ladder of memory (docs/governor.md), from the bottom up, and what each step gives up.
export const levels: readonly { name: string; meaning: string }[] = [
  { name: "normal", meaning: "nothing is given up" },
  { name: "trim", meaning: "caches are emptied" },
  { name: "unload", meaning: "idle models are unloaded" },
  { name: "lighter", meaning: "lighter models answer" },
  { name: "recycle", meaning: "the largest worker is replaced" },
  { name: "refuse", meaning: "new work is refused" },
  { name: "restart", meaning: "all workers start anew" },
];
