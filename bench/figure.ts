/** One measured number of the table. */
export type Figure = {
  what: string;
  unit: 'runs/s' | 'commands/s' | 'messages/s' | 'ms' | 's' | 'MB' | 'runs' | 'calls' | 'points' | 'shift';
  value: number;
  /** What it must reach, or stay below. */
  floor?: { atLeast: number } | { atMost: number };
  /** The same of another system, measured in turns with it; `atLeast` is the share of it that must be reached. */
  beside?: { name: string; value: number; atLeast?: number }[];
  /** What held it back, or what else a reader should know. */
  note?: string;
};

export function meetsFloor({ value, floor, beside = [] }: Figure): boolean | null {
  const shares = beside.filter(({ atLeast }) => atLeast !== undefined);
  if (floor === undefined && shares.length === 0) return null;
  const within = floor === undefined || ('atLeast' in floor ? value >= floor.atLeast : value <= floor.atMost);
  return within && shares.every((other) => value >= other.value * (other.atLeast ?? 0));
}
