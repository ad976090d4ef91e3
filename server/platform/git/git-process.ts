import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { visibleName, withEscapedHidden } from '../../../rules/text/hidden-characters.ts';
import type { Egress } from '../egress/egress.ts';
import { createScrubber, type Scrubber } from '../egress/scrubber.ts';
import { makeOwnedFolder } from '../files/owned-folders.ts';
import type { ProcessLanes } from '../processes/process-lanes.ts';
import { spawnProcess } from '../processes/spawn-process.ts';
import { watchMemory } from '../processes/watch-memory.ts';
import { GitFailed } from './git-failed.ts';
import type {
  FileConflict,
  FromGitProcess,
  GitBlob,
  GitCall,
  GitFailureDetails,
  GitTask,
  GitTree,
  TreeFile,
  TreeListing,
} from './git-messages.ts';
import { basicOf, RepositoryCalls } from './repository-calls.ts';

/** Whose work it is. */
export type GitCaller = {
  account: string;
  /** Ends the work. A commit that was sent is waited for. */
  signal?: AbortSignal;
  /** Takes room for what is received, in memory or on the disk. Returns false where there is none. */
  grow?: (bytes: number) => boolean;
};

type GitWork = {
  egress: Egress;
  lanes: ProcessLanes;
  caller?: GitCaller | undefined;
  /** The address of the repository, without name, password and a slash at its end; null for work without a repository. */
  url: string | null;
  token: string | null;
  task: GitTask;
  /** Lists the files that a run began with. */
  origin?: (() => Promise<TreeListing | null>) | undefined;
};

type GitResult = Exclude<FromGitProcess, { kind: 'call' | 'tree' | 'blobs' | 'listing' | 'failed' }>;

/** Takes what a fetch reads: first the tree, then those of its blobs that it has said it needs. The process waits for both. */
export type TreeReceiver = {
  tree: (tree: GitTree) => Promise<readonly string[]>;
  blobs: (blobs: readonly GitBlob[]) => Promise<void>;
};

const mebibyte = 1024 * 1024;
/** The longest time of a process, and of its waits for the far side. A large repository takes minutes (ms). */
const timeMs = { fetch: 300_000, push: 120_000, bundle: 120_000 };
const memoryBytes = 512 * mebibyte;
const heapMb = 256;
/** How long a process waits for the far side (ms). After that it is ended, and started again when the answer is there. */
const patienceMs = 300;
const program = fileURLToPath(new URL('./git-program.ts', import.meta.url));
/** The library that compares lines: the process may read its folder. */
const library = dirname(fileURLToPath(import.meta.resolve('diff/package.json')));

/**
 * Works in a repository by Git's protocol over HTTP. Packs are read and written in a process of its own. It has an empty
 * environment, no token, and no file but its program, a library and long answers. It is killed at its limits of time and memory. The calls go through
 * `egress`, to the repository's own address only; a redirect is followed once on the same host. A process holds a place only while it works:
 * the first call is made before it starts, and it is ended while the far side is slow. Then `receiver` is given the tree of a fetch and its
 * blobs again, from the beginning. Throws `GitFailed`.
 */
export async function runGitProcess(
  { egress, lanes, caller = { account: '' }, url, token, task, origin = async () => null }: GitWork,
  receiver: TreeReceiver | null = null,
): Promise<GitResult> {
  // Servers repeat the token in sentences, and in names.
  const scrubber = createScrubber(token === null ? [] : [token, basicOf(token)]);
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, ...(caller.signal ? [caller.signal] : [])]);
  const grow = caller.grow ?? (() => true);
  let made: Promise<string> | null = null;
  const folder = () => {
    made ??= makeOwnedFolder('git');
    return made;
  };
  const calls = new RepositoryCalls({
    egress,
    url,
    token,
    maxBytes: task.limits.bytes + 4 * mebibyte,
    writes: task.work === 'push',
    signal,
    grow,
    waitMs: timeMs[task.work],
    folder,
  });
  try {
    for (;;) {
      await calls.settle();
      const until = calls.hasWritten ? ending.signal : signal;
      const work = async (place: AbortSignal) => runProcess({ task, calls, scrubber, receiver, origin, folder: await folder() }, place);
      const result = await lanes.run(caller.account, work, until).catch((error: unknown) => {
        if (calls.hasWritten && signal.aborted) return 'far side' as const;
        throw error;
      });
      if (result !== 'far side') return result;
    }
  } finally {
    ending.abort(new GitFailed('failed'));
    if (made !== null) await rm(await made, { recursive: true, force: true });
  }
}

type ProcessWork = {
  task: GitTask;
  calls: RepositoryCalls;
  scrubber: Scrubber;
  receiver: TreeReceiver | null;
  origin: NonNullable<GitWork['origin']>;
  folder: string;
};

/** Runs one process to its end, or until it would wait for the far side. */
async function runProcess(
  { task, calls, scrubber, receiver, origin, folder }: ProcessWork,
  signal: AbortSignal,
): Promise<GitResult | 'far side'> {
  signal.throwIfAborted();
  const child = startProcess(folder, timeMs[task.work]);
  const unwatch = watchMemory(child, memoryBytes);
  let made = 0;
  const answer = async ({ id, path, method, headers, body }: GitCall): Promise<'far side' | null> => {
    const answered = calls.answerTo({ path, method, headers, body }, made++);
    const first = await Promise.race([answered, wait(patienceMs, null, { ref: false })]);
    if (first === null) return 'far side';
    if (child.connected) child.send({ kind: 'answer', id, ...first });
    return null;
  };
  const take = async (message: Extract<FromGitProcess, { kind: 'tree' | 'blobs' }>): Promise<void> => {
    if (receiver === null) throw new GitFailed('failed');
    const wanted = message.kind === 'tree' ? await receiver.tree(treeWithoutToken(message, scrubber)) : [];
    if (message.kind === 'blobs') await receiver.blobs(message.blobs.map((blob) => blobWithoutToken(blob, scrubber)));
    if (child.connected) child.send({ kind: 'taken', wanted });
  };
  const list = async (): Promise<void> => {
    const listing = await origin();
    if (child.connected) child.send({ kind: 'listed', listing });
  };
  try {
    return await new Promise<GitResult | 'far side'>((resolve, reject) => {
      const timer = setTimeout(() => reject(new GitFailed('timeout')), timeMs[task.work]);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      child.once('error', (cause) => reject(new GitFailed('failed', { cause })));
      child.once('close', () => {
        clearTimeout(timer);
        // Killed for its memory or its processor time: a hostile pack, or one that is too large for these limits.
        reject(new GitFailed('too_large'));
      });
      child.on('message', (message: FromGitProcess) => {
        if (message.kind === 'failed') reject(new GitFailed(message.reason, { details: visible(scrubber.value(message.details)) }));
        else if (message.kind === 'call') answer(message).then((end) => end && resolve(end), reject);
        else if (message.kind === 'tree' || message.kind === 'blobs') take(message).catch(reject);
        else if (message.kind === 'listing') list().catch(reject);
        else resolve(scrubber.value(message));
      });
      child.send(task);
    });
  } finally {
    unwatch();
    child.kill('SIGKILL');
  }
}

/** What the server has said, and paths, as they can be shown. */
function visible({ text, files, conflicts, ...details }: GitFailureDetails): GitFailureDetails {
  return {
    ...details,
    ...(text !== undefined && { text: visibleName(text) }),
    ...(files && { files: files.map(visibleName) }),
    ...(conflicts && { conflicts: conflicts.map(visibleConflict) }),
  };
}

function visibleConflict({ path, reason, lines, names }: FileConflict): FileConflict {
  const shown = lines.map(({ line, ours, theirs }) => ({ line, ours: withEscapedHidden(ours), theirs: withEscapedHidden(theirs) }));
  const both = names && { names: { ours: visibleName(names.ours), theirs: visibleName(names.theirs) } };
  return { path: visibleName(path), reason, lines: shown, ...both };
}

function treeWithoutToken({ sha, ref, isBranch, tree, files }: GitTree, scrubber: Scrubber): GitTree {
  const clean = (file: TreeFile): TreeFile => {
    const path = scrubber.text(file.path);
    return path === file.path ? file : { path, reason: 'token' };
  };
  return { sha, ref: scrubber.text(ref), isBranch, tree, files: files.map(clean) };
}

function blobWithoutToken(blob: GitBlob, scrubber: Scrubber): GitBlob {
  return 'content' in blob && scrubber.isIn(blob.content) ? { oid: blob.oid, reason: 'token' } : blob;
}

function startProcess(folder: string, maxMs: number): ChildProcess {
  const node = [
    ...[`--max-old-space-size=${heapMb}`, '--permission', `--allow-fs-read=${dirname(program)}`, `--allow-fs-read=${dirname(program)}/*`],
    ...[`--allow-fs-read=${library}`, `--allow-fs-read=${library}/*`, `--allow-fs-read=${folder}/*`, program],
  ];
  const seconds = Math.ceil(maxMs / 1_000);
  const [command, args] =
    process.platform === 'win32'
      ? [process.execPath, node]
      : ['/bin/sh', ['-c', `ulimit -t ${seconds}; ulimit -c 0; exec "$0" "$@"`, process.execPath, ...node]];
  const stdio: ['ignore', 'ignore', 'ignore', 'ipc'] = ['ignore', 'ignore', 'ignore', 'ipc'];
  const child = spawnProcess(command, args, { env: {}, cwd: tmpdir(), stdio, serialization: 'advanced', windowsHide: true });
  // Calls of other users come first, but a busy machine still leaves it a share.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return child;
}
