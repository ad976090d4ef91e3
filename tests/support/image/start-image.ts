import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltStage } from './build-image.ts';

export type ImageProcess = {
  output: () => string;
  /** Asks the process to end, and resolves with its exit code. */
  stop: () => Promise<number | null>;
};

/**
 * Runs a command of an image in its folder, its own one by default, and resolves when the output has the words of `until` or the process ends.
 * The process gets the variables of the image and these settings. Paths of the image are below its folder.
 */
export async function startImage(
  { root, workdir, env, command }: Pick<BuiltStage, 'root' | 'workdir' | 'env' | 'command'>,
  { settings, until, run = command }: { settings: Record<string, string>; until: string; run?: string[] },
): Promise<ImageProcess & { ended: Promise<number | null> }> {
  const placed = Object.entries(env).map(([name, value]) => [name, value.startsWith('/') ? join(root, value) : value]);
  await mkdir(join(root, 'tmp'), { recursive: true });
  const [program = '', ...args] = run;
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: join(root, workdir),
    env: { PATH: process.env.PATH ?? '', HOME: root, ...Object.fromEntries(placed), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const isThere = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes(until)) resolve();
      });
    }
  });
  await Promise.race([isThere, ended]);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { output: () => output, stop, ended };
}
