import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { copyRepository } from '../repository-copy.ts';

/**
 * A copy of this checkout, with its packages and the server that the suites have bundled here, in a folder whose name has a space, Cyrillic letters,
 * and what a shell and a URL read as their own. Its packages are in place, so `npm install` needs no network.
 */
export async function copyCheckout() {
  const { path, remove } = await copyRepository({ name: 'Мой $проект %20', keepsCache: true });
  const running: (() => Promise<unknown>)[] = [];

  /** Starts a command of a shell in the copy, with these settings and no others. */
  const run = (command: string, settings: Record<string, string> = {}) => {
    const programs = `${join(path, 'node_modules', '.bin')}:${process.env.PATH}`;
    const env = { PATH: programs, HOME: process.env.HOME ?? '', TMPDIR: dirname(path), NO_COLOR: '1', ...settings };
    const child = spawn('/bin/sh', ['-c', command], { cwd: path, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    const readers: (() => void)[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        for (const read of readers) read();
      });
    }
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    /** Ends the command and what it has started. */
    const stop = () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
      return ended;
    };
    /** Resolves when the output has such a line, or the command has ended. */
    const printed = (line: RegExp) =>
      Promise.race([ended, new Promise<void>((resolve) => readers.push(() => line.test(output) && resolve()))]);
    /** Ends the command alone, as the end of its terminal does. `ended` waits for all that writes to its output. */
    const end = () => child.kill('SIGTERM');
    running.push(stop);
    return { ended, output: () => output, printed, stop, end };
  };

  return {
    path,
    run,
    /** Removes the copy. A test that has failed leaves none of its processes. */
    remove: async () => {
      await Promise.all(running.map((stop) => stop()));
      await remove();
    },
  };
}
