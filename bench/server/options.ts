import { parseArgs } from 'node:util';
import type { ScenarioName } from './scenario.ts';

export type Options = {
  /** Few scenarios, shorter blocks and smaller crowds: a look within a minute. */
  quick: boolean;
  /** Scenarios to run; when empty, all. */
  only: string[];
  /** How often each scenario is run; figures are medians over the repeats. */
  repeats: number;
};

/** What a quick look measures unless `--only` names others. */
const quickScenarios: ScenarioName[] = ['start', 'runs-16', 'run-counts', 'memory', 'commands', 'crowd', 'slow-clients', 'sockets', 'kill'];

/** Returns the options of the command line, or an error message. */
export function readOptions(args: string[], scenarios: readonly string[]): Options | string {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (error) {
    return (error as Error).message;
  }
  const only = values.only?.flatMap((names) => names.split(',')) ?? [];
  const strangers = only.filter((name) => !scenarios.includes(name));
  if (strangers.length > 0) return `--only knows ${scenarios.join(', ')}, not ${strangers.join(', ')}`;
  const repeats = Number(values.repeat ?? 1);
  if (!Number.isInteger(repeats) || repeats < 1) return '--repeat takes a whole number of at least 1';
  const quick = values.quick ?? false;
  return { quick, only: quick && only.length === 0 ? quickScenarios : only, repeats };
}

function parse(args: string[]) {
  return parseArgs({
    args,
    options: { quick: { type: 'boolean' }, only: { type: 'string', multiple: true }, repeat: { type: 'string' } },
  }).values;
}
