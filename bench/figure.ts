/** One measured number of the table. */
export type Figure = {
  what: string;
  unit: 'runs/s' | 'commands/s' | 'messages/s' | 'ms' | 's' | 'MB' | 'KiB' | 'runs' | 'calls' | 'points' | 'shift';
  value: number;
  /** The limit: a minimum or a maximum. */
  floor?: { atLeast: number } | { atMost: number };
  /** The figure of another system, measured in turns with this one; `atLeast` and `atMost` are limits as multiples of it. */
  beside?: { name: string; value: number; atLeast?: number; atMost?: number }[];
  /** A remark for the reader, such as the bottleneck. */
  note?: string;
};

export function meetsFloor({ value, floor, beside = [] }: Figure): boolean | null {
  const bounds = beside.filter(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined);
  if (floor === undefined && bounds.length === 0) return null;
  const within = floor === undefined || ('atLeast' in floor ? value >= floor.atLeast : value <= floor.atMost);
  return within && bounds.every((other) => isWithin(value / other.value, other));
}

function isWithin(times: number, { atLeast = 0, atMost = Number.POSITIVE_INFINITY }: { atLeast?: number; atMost?: number }): boolean {
  return times >= atLeast && times <= atMost;
}
