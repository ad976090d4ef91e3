/** The spans of a forecast, with their days. */
const spans = [
  { name: 'day', days: 1 },
  { name: 'month', days: 365.25 / 12 },
  { name: 'year', days: 365.25 },
] as const;

/** Returns the shortest span in which half a run is due, or else a year, with the runs in it: twelve in a year are one in a month. */
export function forecastSpan(firesADay: number): { name: (typeof spans)[number]['name']; fires: number } {
  const { name, days } = spans.find((span) => firesADay * span.days >= 0.5) ?? spans[2];
  return { name, fires: firesADay * days };
}
