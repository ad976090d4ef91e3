import { parseArgs } from 'node:util';

export const systemNames = ['floor', 'artel', 'react-flow', 'litegraph'] as const;
export type SystemName = (typeof systemNames)[number];

export type Options = {
  /** Numbers of nodes, each measured on its own. */
  sizes: number[];
  systems: SystemName[];
  /** How often each cell is measured; figures are medians over the repeats. */
  repeats: number;
  /** Wall seconds after which a scenario stops with the steps it has. */
  capSeconds: number;
  /** A page with the adapter to measure as `artel` in place of the built client. */
  url: string | null;
  /** Folder for a picture of every cell, or null. */
  pictures: string | null;
};

/** Returns the options of the command line, or an error message. */
export function readOptions(args: string[]): Options | string {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (error) {
    return (error as Error).message;
  }
  const sizes = (values.n ?? (values.quick ? '1000' : '1000,10000,20000')).split(',').map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size >= 50))
    return '--n takes whole numbers of at least 50 nodes, as in --n 1000,10000';
  const systems = values.systems?.split(',') ?? [...systemNames];
  const strangers = systems.filter((name) => !isSystem(name));
  if (strangers.length > 0) return `--systems knows ${systemNames.join(', ')}, not ${strangers.join(', ')}`;
  const repeats = Number(values.repeats ?? (values.quick ? 1 : 3));
  const capSeconds = Number(values.cap ?? (values.quick ? 3 : 5));
  if (!(Number.isInteger(repeats) && repeats > 0 && capSeconds > 0)) return '--repeats and --cap take positive numbers';
  return { sizes, systems: systems.filter(isSystem), repeats, capSeconds, url: values.url ?? null, pictures: values.pictures ?? null };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  return parseArgs({
    args,
    options: { n: text, systems: text, repeats: text, cap: text, url: text, pictures: text, quick: { type: 'boolean' } },
  }).values;
}

function isSystem(name: string): name is SystemName {
  return (systemNames as readonly string[]).includes(name);
}
