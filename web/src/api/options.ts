export type Complexity = "lite" | "full" | "heavy";

// What is asked of the tracker; the names are those of the query of POST /v1/track.
export interface TrackOptions {
  complexity: Complexity;
  refine_face: boolean;
  segmentation: boolean;
  people: number;
}

export type Format = "json" | "svg" | "jpeg";

export function queryOf(options: TrackOptions, format?: Format): string {
  const query = new URLSearchParams({
    complexity: options.complexity,
    refine_face: String(options.refine_face),
    segmentation: String(options.segmentation),
    people: String(options.people),
  });
  if (format) query.set("format", format);
  return query.toString();
}
