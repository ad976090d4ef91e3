import { spawn } from 'node:child_process';
import { extname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { backUpNightly, missingBackup } from './backup/nightly.ts';
import { runScript } from './backup/run-command.ts';

const whole = ({ from, to, initial }: { from: number; to: number; initial: number }) =>
  z
    .string()
    .refine(
      (value) => /^\d{1,4}$/.test(value) && Number(value) >= from && Number(value) <= to,
      `must be a whole number from ${from} to ${to}`,
    )
    .transform(Number)
    .default(initial);
const variables = z.object({
  ARTEL_BACKUP_FOLDER: z.string().default('backups'),
  ARTEL_BACKUP_HOUR: whole({ from: 0, to: 23, initial: 3 }),
  ARTEL_BACKUP_KEEP: whole({ from: 1, to: 3_650, initial: 14 }),
});

/**
 * `npm run nightly-backup`: runs until it is stopped, and makes a backup each night of the server with these settings. With `--check` it only
 * looks whether the last one is there.
 */
await runScript('Nightly backup', async (signal) => {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const { folder, hour, keep } = readVariables();
  if (values.check) {
    const missing = await missingBackup({ folder, hour });
    if (missing !== null) throw new Error(missing);
    return [];
  }
  await backUpNightly({
    ...{ folder, hour, keep, signal },
    backUp: (file) => runBackup(file, signal),
    pause: (ms) => sleep(ms, undefined, { signal }).catch(() => {}),
    say: (line) => console.log(line),
  });
  return [];
});

function readVariables(): { folder: string; hour: number; keep: number } {
  const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const read = variables.safeParse(set);
  if (!read.success) throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`).join(' '));
  return { folder: resolve(read.data.ARTEL_BACKUP_FOLDER), hour: read.data.ARTEL_BACKUP_HOUR, keep: read.data.ARTEL_BACKUP_KEEP };
}

/** Runs the command `backup` in a process of its own, which says what it did, and returns whether it succeeded. */
function runBackup(file: string, signal: AbortSignal): Promise<boolean> {
  const program = join(import.meta.dirname, `backup${extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [program, file], { stdio: 'inherit' });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  return new Promise((done) => {
    child.once('error', () => done(false));
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      done(code === 0);
    });
  });
}
