import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { v4 } from 'uuid';
import { parseBoundedJson } from '../llm/bounded-json.ts';
import { killTree, type ProcessTree } from '../processes/process-tree.ts';
import { watchMemory } from '../processes/watch-memory.ts';
import { isAnswer, type McpChannel, maxAnswerBytes } from './mcp-channel.ts';
import { McpFailed } from './mcp-failed.ts';
import type { OperatorServer } from './operator-servers.ts';
import { toolFolderPrefix } from './tool-folders.ts';

/** The most that a process may write in one session (bytes). */
const maxSessionBytes = 32 * 1024 * 1024;
/** The most messages that wait for the process to read them (bytes). */
const maxUnreadBytes = 4 * 1024 * 1024;
/** The most memory that a process may hold (bytes). */
const maxMemoryBytes = 512 * 1024 * 1024;
/** How long a process has to end after its input was closed (ms). */
const endMs = 500;

/** The variable by which the processes of one session are found, whatever they do to their group. */
const markName = 'ARTEL_TOOL_SESSION';
const start = 'ulimit -c 0; exec "$0" "$@"';
/**
 * Watches a pipe that only this server holds open, and kills the group and the marked processes when it closes: when this server is killed. It runs as
 * the server's user.
 */
const watch = `cat >/dev/null; kill -9 -"$2"; for file in /proc/[0-9]*/environ; do
  if grep -qaF "$1" "$file"; then pid="\${file#/proc/}"; kill -9 "\${pid%/environ}"; fi; done`;

/**
 * Starts a server of the operator as a process of its own, with a temporary folder and the environment and user that the operator names. Messages
 * are lines on its output, of 1 MiB at most. All that it has started is killed when the channel closes, or when the process holds too much memory.
 */
export async function createProcessChannel(
  { command, args, environment, uid, gid }: OperatorServer,
  { memoryBytes = maxMemoryBytes } = {},
): Promise<McpChannel> {
  // As the system names it, without links.
  const folder = await realpath(await mkdtemp(join(tmpdir(), toolFolderPrefix)));
  const user = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
  if (uid !== undefined || gid !== undefined) await chown(folder, uid ?? process.getuid?.() ?? 0, gid ?? process.getgid?.() ?? 0);
  const mark = `${markName}=${v4()}`;
  let tell = (_error: unknown) => {};
  let child: ChildProcess | null = null;
  let watcher: ChildProcess | null = null;
  let killed: Promise<void> | null = null;
  let isEnded = false;
  let unwatch = () => {};

  /** Ends the process, and reads no more of its output: a program that it has started may still write. */
  const stop = () => {
    isEnded = true;
    unwatch();
    killed ??= kill(child, watcher, { mark, folder });
    child?.stdout?.removeAllListeners('data').destroy();
    read = () => true;
  };
  const end = (error: McpFailed) => {
    if (isEnded) return;
    stop();
    tell(error);
    transport.onclose?.();
  };
  let read = lineReader((line) => {
    if (isEnded) return;
    let message: unknown;
    try {
      message = parseBoundedJson(line);
    } catch {
      // Some programs write notes to their output.
      return;
    }
    if (isAnswer(message)) transport.onmessage?.(message as JSONRPCMessage);
  });

  const transport: Transport = {
    async start() {
      const watched = process.platform !== 'win32';
      const [program, words] = watched ? ['/bin/sh', ['-c', start, command, ...args]] : [command, [...args]];
      const env = { ...environment, [markName]: mark.slice(markName.length + 1) };
      const started = spawn(program, words, {
        ...{ cwd: folder, env, ...user, detached: watched, windowsHide: true },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      child = started;
      if (watched && started.pid !== undefined) watcher = watchFor(mark, started.pid);
      unwatch = watchMemory(started, memoryBytes);
      started.on('error', (cause) => end(new McpFailed('process', { cause })));
      started.on('exit', () => end(new McpFailed('process')));
      started.stdin?.on('error', () => end(new McpFailed('process')));
      started.stdout?.on('error', () => {});
      started.stdout?.on('data', (piece: Buffer) => {
        if (!read(piece)) end(new McpFailed('too_large'));
      });
    },
    async send(message) {
      if (isEnded || !child?.stdin?.writable || child.stdin.writableLength > maxUnreadBytes) throw new McpFailed('process');
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      end(new McpFailed('process'));
    },
  };

  return {
    ...{ transport, negotiates: false },
    watch: (onFailure) => {
      tell = onFailure;
    },
    async close() {
      tell = () => {};
      child?.stdin?.end();
      await exited(child, endMs);
      stop();
      await killed;
      await exited(child, endMs);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    },
  };
}

function watchFor(mark: string, pid: number): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', watch, 'watch', mark, String(pid)], {
    ...{ cwd: '/', env: { PATH: '/usr/bin:/bin' }, detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  });
  watcher.on('error', () => {});
  watcher.stdin?.on('error', () => {});
  return watcher;
}

/** Kills a process with those that it has started, and then the watcher of them. */
async function kill(child: ChildProcess | null, watcher: ChildProcess | null, about: Omit<ProcessTree, 'pid'>): Promise<void> {
  if (child?.pid === undefined) return;
  if (process.platform === 'win32') child.kill('SIGKILL');
  else await killTree({ pid: child.pid, ...about });
  // Its pipe is open until then: it has not begun.
  if (watcher?.pid !== undefined) {
    watcher.kill('SIGKILL');
    watcher.stdin?.destroy();
  }
}

function exited(child: ChildProcess | null, limitMs: number): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Returns a function that takes pieces of bytes and hands on whole lines; false when a line or all of them exceed the limits. */
function lineReader(onLine: (line: string) => void): (piece: Buffer) => boolean {
  let open: Buffer[] = [];
  let openBytes = 0;
  let allBytes = 0;
  return (piece) => {
    allBytes += piece.length;
    let from = 0;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, from)) {
      const part = piece.subarray(from, at);
      if (openBytes + part.length > maxAnswerBytes) return false;
      onLine(Buffer.concat([...open, part]).toString('utf8'));
      open = [];
      openBytes = 0;
      from = at + 1;
    }
    const rest = piece.subarray(from);
    if (rest.length > 0) open.push(rest);
    openBytes += rest.length;
    return openBytes <= maxAnswerBytes && allBytes <= maxSessionBytes;
  };
}
