import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { parseBoundedJson } from '../llm/bounded-json.ts';
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

/**
 * The shell watches a pipe that only this server holds open, and kills the group of processes when it closes: also when this server is killed. The
 * program itself does not inherit the pipe.
 */
const watchedStart = '(cat <&3 >/dev/null; kill -9 -$$) >/dev/null 2>&1 & ulimit -c 0; exec 3<&-; exec "$0" "$@"';

/**
 * Starts a server of the operator as a process of its own, with a temporary folder and the environment that the operator names. Messages are
 * lines on its output, of 1 MiB at most. Its whole group is killed when the channel closes, or when the process holds too much memory.
 */
export async function createProcessChannel(
  { command, args, environment }: OperatorServer,
  { memoryBytes = maxMemoryBytes } = {},
): Promise<McpChannel> {
  const folder = await mkdtemp(join(tmpdir(), toolFolderPrefix));
  let tell = (_error: unknown) => {};
  let child: ChildProcess | null = null;
  let isEnded = false;
  let unwatch = () => {};

  /** Ends the process, and reads no more of its output: a program that it has started may still write. */
  const stop = () => {
    isEnded = true;
    unwatch();
    kill(child);
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
      const [program, words] = watched ? ['/bin/sh', ['-c', watchedStart, command, ...args]] : [command, [...args]];
      const started = spawn(program, words, {
        ...{ cwd: folder, env: { ...environment }, detached: watched, windowsHide: true },
        stdio: ['pipe', 'pipe', 'ignore', ...(watched ? (['pipe'] as const) : [])],
      });
      child = started;
      unwatch = watchMemory(started, memoryBytes);
      started.on('error', (cause) => end(new McpFailed('process', { cause })));
      started.on('exit', () => end(new McpFailed('process')));
      started.stdin?.on('error', () => end(new McpFailed('process')));
      started.stdio[3]?.on('error', () => {});
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
      await exited(child, endMs);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    },
  };
}

/** Kills a process with those that it has started. */
function kill(child: ChildProcess | null): void {
  if (child?.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
  (child.stdio[3] as { destroy?: () => void } | null | undefined)?.destroy?.();
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
