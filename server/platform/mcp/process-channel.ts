import type { ChildProcess } from 'node:child_process';
import { chown, realpath, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { v4 } from 'uuid';
import { createScrubber, type Scrubber } from '../egress/scrubber.ts';
import { startedSecrets } from '../egress/sent-secrets.ts';
import { makeOwnedFolder } from '../files/owned-folders.ts';
import { parseBoundedJson } from '../llm/bounded-json.ts';
import { type ControlGroup, makeControlGroup } from '../processes/control-group.ts';
import { killTree, type ProcessTree, watchTreeMemory } from '../processes/process-tree.ts';
import { spawnProcess } from '../processes/spawn-process.ts';
import { watchMemory } from '../processes/watch-memory.ts';
import { createMessageSorter, type McpChannel, type McpWatcher, maxAnswerBytes, unwatched } from './mcp-channel.ts';
import { McpFailed } from './mcp-failed.ts';
import type { OperatorServer } from './operator-servers.ts';

/** The most that a process may write in one session (bytes). */
const maxSessionBytes = 32 * 1024 * 1024;
/** The most messages that wait for the process to read them (bytes). */
const maxUnreadBytes = 4 * 1024 * 1024;
/** The most memory that a process may hold with all that it has started (bytes). */
const maxMemoryBytes = 512 * 1024 * 1024;
/** How long a process has to end after its input was closed (ms). */
const endMs = 500;

/** The variable by which the processes of one session are found, also after they have left their group. */
const markName = 'ARTEL_TOOL_SESSION';
/** The program begins once a line says that its control group is ready. A shell reads a pipe byte by byte: what follows is the program's. */
const start = 'read -r _; ulimit -c 0; exec "$0" "$@"';
/**
 * Watches a pipe that only this server holds open. When it closes, this server was killed: then it kills what `killTree` would. It stops the group
 * first, so that no process loses its parent before all are found. It runs as the server's user.
 */
const watch = `cat >/dev/null
mark=$1 group=$2 folder=$3 control=$4
if [ -n "$control" ]; then echo 1 >"$control/cgroup.kill"; fi
kill -STOP -"$group"
for round in 1 2 3; do
  members=" $group " size=0 passes=0
  while [ "$size" -ne "\${#members}" ] && [ "$passes" -lt 20 ]; do
    size=\${#members} passes=$((passes + 1))
    for path in /proc/[0-9]*; do
      pid=\${path#/proc/} stat=
      case "$members" in *" $pid "*) continue ;; esac
      while read -r line; do stat="$stat$line "; done <"$path/stat" || continue
      # After the name of the program: state, parent, group, session.
      set -f; set -- \${stat##*) }; set +f
      case "$members" in *" $2 "* | *" $3 "* | *" $4 "*) members="$members$pid "; continue ;; esac
      case $(readlink "$path/cwd") in "$folder" | "$folder"/* | "$folder (deleted)") members="$members$pid "; continue ;; esac
      if grep -qaF "$mark" "$path/environ"; then members="$members$pid "; fi
    done
  done
  kill -9 -"$group" $members
done
# It is busy until the killed processes are gone.
for round in 1 2 3 4 5 6 7 8 9 10; do
  if [ -z "$control" ] || rmdir "$control"; then break; fi
  sleep 0.1
done`;

/**
 * Starts a server of the operator as a process of its own, with a temporary folder and the environment and user that the operator names. Messages
 * are lines on its output, of 1 MiB at most. All that it has started is killed when the channel closes, or when all of it
 * holds too much memory.
 */
export async function createProcessChannel(server: OperatorServer, { memoryBytes = maxMemoryBytes } = {}): Promise<McpChannel> {
  const { uid, gid } = server;
  // As the system names it, without links.
  const folder = await realpath(await makeOwnedFolder('tool'));
  if (uid !== undefined || gid !== undefined) await chown(folder, uid ?? process.getuid?.() ?? 0, gid ?? process.getgid?.() ?? 0);
  return new ProcessChannel(server, folder, memoryBytes);
}

class ProcessChannel implements McpChannel {
  readonly negotiates = false;
  readonly transport: Transport = {
    start: () => this.#start(),
    send: (message) => this.#send(message),
    close: async () => this.#end(new McpFailed('process')),
  };
  readonly #server: OperatorServer;
  readonly #folder: string;
  readonly #memoryBytes: number;
  readonly #mark = `${markName}=${v4()}`;
  readonly #sort = createMessageSorter();
  readonly #scrubber: Scrubber;
  #read = lineReader((line) => this.#hear(line));
  #watcher = unwatched;
  #child: ChildProcess | null = null;
  #guard: ChildProcess | null = null;
  #control: ControlGroup | null = null;
  #killed: Promise<void> | null = null;
  #isEnded = false;
  #unwatch = () => {};

  constructor(server: OperatorServer, folder: string, memoryBytes: number) {
    this.#server = server;
    this.#folder = folder;
    this.#memoryBytes = memoryBytes;
    this.#scrubber = createScrubber(startedSecrets(server.environment, server.args));
  }

  watch(watcher: McpWatcher): void {
    this.#watcher = watcher;
  }

  async close(): Promise<void> {
    this.#watcher = unwatched;
    this.#child?.stdin?.end();
    await exited(this.#child, endMs);
    this.#stop();
    await this.#killed;
    await exited(this.#child, endMs);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }

  async #start(): Promise<void> {
    const watched = process.platform !== 'win32';
    const about = { mark: this.#mark, folder: this.#folder };
    this.#control = await makeControlGroup(basename(this.#folder));
    if (this.#isEnded) {
      await this.#control?.end();
      throw new McpFailed('process');
    }
    const child = spawnServer(this.#server, { ...about, watched });
    this.#child = child;
    // The first process is watched more often than the walk through all of them allows.
    const ends = [watchMemory(child, this.#memoryBytes)];
    if (watched && child.pid !== undefined) {
      const control = this.#control?.folder ?? null;
      this.#guard = watchFor(this.#mark, child.pid, this.#folder, control ?? '');
      ends.push(watchTreeMemory({ pid: child.pid, ...about, control }, this.#memoryBytes, () => this.#end(new McpFailed('process'))));
    }
    this.#unwatch = () => {
      for (const each of ends) each();
    };
    this.#listen(child);
    // Without it, the walk through the processes finds all that do not hide.
    if (child.pid !== undefined) await this.#control?.add(child.pid).catch(() => {});
    if (watched) child.stdin?.write('\n');
  }

  #listen(child: ChildProcess): void {
    child.on('error', (cause) => this.#end(new McpFailed('process', { cause })));
    child.on('exit', () => this.#end(new McpFailed('process')));
    child.stdin?.on('error', () => this.#end(new McpFailed('process')));
    child.stdout?.on('data', (piece: Buffer) => {
      if (!this.#read(piece)) this.#end(new McpFailed('too_large'));
    });
  }

  async #send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (this.#isEnded || !input?.writable || input.writableLength > maxUnreadBytes) throw new McpFailed('process');
    input.write(`${JSON.stringify(message)}\n`);
  }

  #hear(line: string): void {
    if (this.#isEnded) return;
    let message: unknown;
    try {
      message = parseBoundedJson(line);
    } catch {
      // Some programs write notes to their output.
      return;
    }
    const sorted = this.#sort(message);
    if (sorted.for === 'progress') this.#watcher.onProgress();
    if (sorted.for === 'library') this.transport.onmessage?.(this.#scrubber.value(sorted.message) as JSONRPCMessage);
  }

  #end(error: McpFailed): void {
    if (this.#isEnded) return;
    this.#stop();
    this.#watcher.onFailure(error);
    this.transport.onclose?.();
  }

  /** Ends the process, and reads no more of its output: a program that it has started may still write. */
  #stop(): void {
    this.#isEnded = true;
    this.#unwatch();
    this.#killed ??= kill(this.#child, this.#guard, { mark: this.#mark, folder: this.#folder }, this.#control);
    this.#child?.stdout?.removeAllListeners('data').destroy();
    this.#read = () => true;
  }
}

/** `watched`: the program begins once a line says so. */
function spawnServer(
  { command, args, environment, uid, gid }: OperatorServer,
  { mark, folder, watched }: { mark: string; folder: string; watched: boolean },
): ChildProcess {
  const [program, words] = watched ? ['/bin/sh', ['-c', start, command, ...args]] : [command, [...args]];
  return spawnProcess(program, words, {
    cwd: folder,
    env: { ...environment, [markName]: mark.slice(markName.length + 1) },
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    detached: watched,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

function watchFor(mark: string, pid: number, folder: string, control: string): ChildProcess {
  const watcher = spawnProcess('/bin/sh', ['-c', watch, 'watch', mark, String(pid), folder, control], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return watcher;
}

/** Kills a process with those that it has started, and then the watcher of them. */
async function kill(
  child: ChildProcess | null,
  watcher: ChildProcess | null,
  about: Omit<ProcessTree, 'pid'>,
  control: ControlGroup | null,
): Promise<void> {
  await control?.end();
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
