/**
 * The most that each piece of work may cost, in counts that are the same on every machine and at any load. A change that raises a ceiling adds
 * a line to docs/decisions/costs-held-by-counts.md in the same commit, which says what it buys.
 */
const ceilings = {
  // KiB that a call of a model allocates, whose answer comes from memory: as chunks of a socket, or each piece by itself.
  'chat, 1 piece': { most: 51, unit: 'KiB' },
  'chat, 500 pieces': { most: 355, unit: 'KiB' },
  'chat, 500 pieces one by one': { most: 490, unit: 'KiB' },
  'gigachat, 1 piece': { most: 61, unit: 'KiB' },
  'gigachat, 500 pieces': { most: 372, unit: 'KiB' },
  'gigachat, 500 pieces one by one': { most: 501, unit: 'KiB' },
  'responses, 1 piece': { most: 72, unit: 'KiB' },
  'responses, 500 pieces': { most: 386, unit: 'KiB' },
  'responses, 500 pieces one by one': { most: 524, unit: 'KiB' },
  'anthropic, 1 piece': { most: 75, unit: 'KiB' },
  'anthropic, 500 pieces': { most: 309, unit: 'KiB' },
  'anthropic, 500 pieces one by one': { most: 480, unit: 'KiB' },
  'google, 1 piece': { most: 43, unit: 'KiB' },
  'google, 500 pieces': { most: 432, unit: 'KiB' },
  'google, 500 pieces one by one': { most: 580, unit: 'KiB' },
  // What the 101st call, or a piece of work after others, makes anew.
  schemas: { most: 0, unit: 'schemas' },
  // A released team's input has fields of its own.
  'schemas for an event': { most: 6, unit: 'schemas' },
  'web streams': { most: 0, unit: 'web streams' },
  // KiB that the server allocates for a piece of work: a run of five steps, a graph of 64 branches, a save of one record.
  run: { most: 1_830, unit: 'KiB' },
  graph: { most: 35_500, unit: 'KiB' },
  command: { most: 395, unit: 'KiB' },
  save: { most: 200, unit: 'KiB' },
  answer: { most: 1_820, unit: 'KiB' },
  webhook: { most: 3_560, unit: 'KiB' },
  fire: { most: 4_250, unit: 'KiB' },
  // Heap that stays in use.
  'a run that waits for its model': { most: 50, unit: 'KB' },
  'a run of 10,000 steps': { most: 11, unit: 'MB' },
  // How often the server waits for PostgreSQL. `statements.ts` has the statements.
  'round trips, run': { most: 7, unit: 'round trips' },
  'round trips, command': { most: 3, unit: 'round trips' },
  'round trips, save': { most: 4, unit: 'round trips' },
  'round trips, answer': { most: 16, unit: 'round trips' },
  'round trips, webhook': { most: 51, unit: 'round trips' },
  'round trips, fire': { most: 58, unit: 'round trips' },
  // In five seconds without a hook, a trigger, a chat and a schedule: while ten runs end, and while nothing happens.
  'statements for hooks and triggers': { most: 0, unit: 'statements' },
  'statements of an idle server': { most: 70, unit: 'statements' },
  // The statement that stores a step in the middle of a run.
  'values of a step': { most: 40, unit: 'values' },
  'blocks of a step': { most: 90, unit: 'blocks' },
  'write-ahead log of a step': { most: 4.5, unit: 'KiB' },
  // The statement that reads the plan of a released team, for each of a hundred agents.
  'blocks of an agent': { most: 7.5, unit: 'blocks' },
} as const satisfies Record<string, Ceiling>;

type Ceiling = { most: number; unit: string };
export type Row = keyof typeof ceilings;

/** Prints each measured figure beside its ceiling, and returns a sentence for each that is above it. */
export function exceeded(measured: Partial<Record<Row, number>>): string[] {
  return (Object.keys(measured) as Row[]).flatMap((row) => {
    const { most, unit } = ceilings[row];
    const value = measured[row] as number;
    const figure = `${row}: ${Math.round(value * 10) / 10} ${unit}`;
    process.stdout.write(`${figure} of ${most}\n`);
    return value <= most ? [] : [`${figure}, and the ceiling is ${most}`];
  });
}
