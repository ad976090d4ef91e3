import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { plainReason } from '../../server/plain-reason.ts';
import { onStopSignal } from '../../server/platform/processes/on-stop-signal.ts';
import { readSettings, type Settings } from '../../server/settings.ts';

/** How a person calls a command: in a checkout by npm, and of the package, which has these files as `.mjs`, by its name. */
export function calledAs(name: string): string {
  return import.meta.filename.endsWith('.mjs') ? `artel ${name}` : `npm run ${name} --`;
}

type Command<Flag extends string> = {
  /** The name of the action for error messages: `Backup`, `Restore`. */
  name: string;
  usage: string;
  flags: readonly Flag[];
  /** Runs the command and returns its message. Rejects with one sentence. */
  run: (given: { file: string; flags: Record<Flag, boolean>; settings: Settings; signal: AbortSignal }) => Promise<string[]>;
};

/** Reads one file and some flags from the command line and the settings from the environment. An interrupt ends it cleanly. */
export async function runCommand<Flag extends string>({ name, usage, flags, run }: Command<Flag>): Promise<void> {
  await runScript(name, async (signal) => {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const, default: false }]));
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) throw new Error(usage);
    return run({ file: fileFrom(file), flags: values as Record<Flag, boolean>, settings: readSettings(process.env), signal });
  });
}

/** Returns the path of a file that the command line names. npm runs scripts in the folder of the package, not in the folder where it was called. */
export function fileFrom(named: string): string {
  return resolve(process.env.INIT_CWD ?? '.', named);
}

/** Runs a command and prints its message, or the one sentence that it rejects with. An interrupt ends it cleanly. */
export async function runScript(name: string, run: (signal: AbortSignal) => Promise<string[]>): Promise<void> {
  const stop = new AbortController();
  onStopSignal(() => stop.abort());
  try {
    for (const line of await run(stop.signal)) console.log(line);
  } catch (error) {
    const why = stop.signal.aborted ? 'interrupted.' : plainReason(error);
    console.error(`${name} failed: ${why}`);
    process.exitCode = 1;
  }
}
