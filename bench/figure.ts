type Bound = { atLeast: number } | { atMost: number };

/** What a figure should reach. `of` makes the bound a multiple of the figure of this other system. */
export type Goal = Bound & { scenario: string; figure: string; unit: Figure['unit']; of?: string };

/** One measured number of the table. */
export type Figure = {
  what: string;
  unit: 'runs/s' | 'commands/s' | 'messages/s' | 'ms' | 's' | 'MB' | 'KiB' | 'runs' | 'calls' | 'statements' | 'points' | 'shift';
  value: number;
  /** The limit: a minimum or a maximum. */
  floor?: Bound;
  /** What the figure should reach. A missed goal is named, and does not fail the benchmark. */
  goal?: Goal;
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

/** The number that the goal of a figure bounds: its value, or its multiple of the other system's figure. */
export function goalValue({ value, beside = [] }: Figure, { of }: Goal): number {
  return of === undefined ? value : value / (beside.find(({ name }) => name === of)?.value ?? Number.NaN);
}

export function meetsGoal(figure: Figure, goal: Goal): boolean {
  const value = goalValue(figure, goal);
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

function isWithin(times: number, { atLeast = 0, atMost = Number.POSITIVE_INFINITY }: { atLeast?: number; atMost?: number }): boolean {
  return times >= atLeast && times <= atMost;
}
