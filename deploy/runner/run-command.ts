import type { Readable } from 'node:stream';
import { killTree, watchTreeMemory } from '../../server/platform/processes/process-tree.ts';
import { spawnProcess } from '../../server/platform/processes/spawn-process.ts';
import { openJobOutput } from './job-output.ts';
import type { JobLimits } from './runner-settings.ts';
import type { SandboxedCommand } from './sandboxed-command.ts';
import { watchHeld } from './watch-held.ts';

/**
 * Why a command is ended before it ends by itself. `gone`: the connection of its sender is closed. `memory`, `held`: the job holds too much memory or
 * disk. `disk`, `crowded`: the machine lacks disk or memory.
 */
export type StopReason = 'gone' | 'timeout' | 'log_too_long' | 'memory' | 'held' | 'disk' | 'crowded';

type CommandWatch = {
  /** A part of the command's environment, which no other command has. */
  mark: string;
  folder: string;
  /** The user of the command; null for the runner's own. */
  owner: number | null;
  limits: Pick<JobLimits, 'memoryBytes' | 'diskBytes'>;
  /** The bytes of the disk that were free when the job began. */
  freeAtBegin: number;
  /** Ends the command, and all that it has started. */
  stop: AbortController;
  /** Resolves when the text is taken: a reader that is slower than the command holds the command up. */
  onLog: (text: string) => Promise<void>;
};

/**
 * Executes a command and returns its exit code, -1 where it has none. Resolves only when nothing of it is left: the sandbox has a list of
 * processes of its own, and ends with its first one. Returns -1 when it was stopped.
 */
export async function runCommand(command: SandboxedCommand, watch: CommandWatch): Promise<number> {
  const { mark, folder, owner, limits, freeAtBegin, stop } = watch;
  if (stop.signal.aborted) return -1;
  const output = await openJobOutput(folder, owner);
  const { file, args, cwd, uid } = command;
  const [name = '', value = ''] = mark.split('=');
  let child: ReturnType<typeof spawnProcess>;
  try {
    child = spawnProcess(file, args, {
      cwd,
      env: { ...command.env, [name]: value },
      detached: true,
      stdio: ['ignore', output.writer, output.writer],
      ...(uid !== null && { uid, gid: uid }),
    });
  } catch (error) {
    output.reader.destroy();
    if ((error as NodeJS.ErrnoException).code !== 'E2BIG') throw error;
    await watch.onLog('The command is longer than the system takes.\n');
    return 126;
  } finally {
    output.release();
  }
  const ended = new Promise<number>((resolve) => {
    child.on('exit', (code) => resolve(code ?? -1));
    child.on('error', () => resolve(-1));
  });
  const { pid } = child;
  if (pid === undefined) {
    output.reader.destroy();
    return ended;
  }
  const tree = { pid, mark, folder, control: null };
  const kill = () => void killTree(tree);
  stop.signal.addEventListener('abort', kill);
  const unwatch = watchTreeMemory(tree, limits.memoryBytes, () => stop.abort('memory' satisfies StopReason));
  const ending = new AbortController();
  const onExceeded = (limit: 'held' | 'memory') => stop.abort(limit satisfies StopReason);
  const counted = watchHeld({ tree, freeAtBegin, limits, signal: ending.signal, onExceeded });
  try {
    await readLog(output.reader, watch);
    return await ended;
  } finally {
    unwatch();
    ending.abort();
    stop.signal.removeEventListener('abort', kill);
    await killTree(tree);
    await counted;
  }
}

async function readLog(from: Readable, { stop, onLog }: CommandWatch): Promise<void> {
  for await (const text of from.setEncoding('utf8')) {
    if (!stop.signal.aborted) await onLog(text as string);
  }
}
