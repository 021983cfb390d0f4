// Round values from 0 up to at least `most`, about `wanted` of them: 1, 2, 2.5 or 5 times a power of ten apart.
export function ticks(most: number, wanted = 4): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999)!;
  const values: number[] = [];
  for (let i = 0; i <= Math.ceil(most / step - 1e-9); ++i) values.push(i * step);
  return values;
}
