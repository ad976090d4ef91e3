import { parseArgs } from 'node:util';

export const partNames = ['landing', 'demo', 'timeline'] as const;
export type PartName = (typeof partNames)[number];

export type Options = {
  parts: PartName[];
  /** How often each part is measured; figures are medians over the repeats. */
  repeats: number;
  /** Folder for Lighthouse's reports, or null. */
  reports: string | null;
};

/** Returns the options of the command line, or an error message. */
export function readOptions(args: string[]): Options | string {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (error) {
    return (error as Error).message;
  }
  const parts = values.only?.split(',') ?? [...partNames];
  const strangers = parts.filter((name) => !isPart(name));
  if (strangers.length > 0) return `--only knows ${partNames.join(', ')}, not ${strangers.join(', ')}`;
  const repeats = Number(values.repeats ?? 5);
  if (!Number.isInteger(repeats) || repeats < 1) return '--repeats takes a whole number of at least 1';
  return { parts: parts.filter(isPart), repeats, reports: values.reports ?? null };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  return parseArgs({ args, options: { only: text, repeats: text, reports: text } }).values;
}

function isPart(name: string): name is PartName {
  return (partNames as readonly string[]).includes(name);
}
