import type { FromGitProcess, GitBlob, GitLimits, GitTask, TreeFile } from './git-messages.ts';
import { fetchBlobs, fetchCommit } from './packs/fetch-pack.ts';
import type { Pack } from './packs/pack.ts';
import { type GitHttpCall, openUploadPack } from './packs/upload-pack.ts';
import { refOfPage, resolveRef, Stopped } from './repository.ts';
import { isExecutable, isPathName, kindOf, nameOf, parseEntries, type TreeEntry } from './tree-entries.ts';

const maxDepth = 100;
/** The longest path of a base (bytes): calls take no longer one, and an index holds it. A longer one is told by its beginning. */
const maxPathBytes = 1_000;
const toldPathBytes = 300;
/** Folders beside the files of a tree: a hostile one has folders alone, each many times. */
const maxFolders = ({ files }: GitLimits) => 4 * files + 10_000;
/** Names that no program may write into a folder: Git's own. */
const reserved = /^(?:\.git|git~\d+)$/i;
/** Control characters, half surrogate pairs, line separators: they break lists of paths. */
const unspeakable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** By the specification of Git LFS, a pointer begins with its version and is shorter than this (bytes). */
const lfsStart = Buffer.from('version https://git-lfs.github.com/spec/v1\n');
const maxLfsBytes = 1_024;
/** Blobs are sent so many bytes at a time: the parent stores them before the next ones. */
const sentBytes = 2 * 1024 * 1024;
const maxSent = 500;

type Work = {
  call: GitHttpCall;
  /** Sends a message, and returns the blobs that its receiver wants. */
  ask: (message: FromGitProcess) => Promise<readonly string[]>;
};

/** Fetches a commit without its history. Sends its tree, and then those of its blobs that the receiver does not have. */
export async function sendTree({ call, ask }: Work, task: Extract<GitTask, { work: 'fetch' }>): Promise<void> {
  const { ref: asked, page, limits, paths } = task;
  const server = await openUploadPack(call);
  const { sha, ref, isBranch } = resolveRef(server.refs, asked ?? (page === null ? null : refOfPage(server.refs, page)));
  const source = { server, sha, depth: 1, limits };
  const pack = await fetchCommit(source);
  const { tree, files } = readTree(pack, sha, paths, limits);
  const wanted = await ask({ kind: 'tree', sha, ref, isBranch, tree, files });
  const blobs = server.canFilter && wanted.length > 0 ? await fetchBlobs(source, wanted) : pack;
  await sendBlobs(blobs, wanted, limits, ask);
}

/** Returns the files of a commit. An entry whose name no path can have is named, and left out with all below it. */
function readTree(pack: Pack, sha: string, paths: readonly string[], limits: GitLimits): { tree: string; files: TreeFile[] } {
  const commit = pack.read(sha);
  const tree = /^tree ([0-9a-f]{40})$/m.exec(commit?.content.toString('latin1') ?? '')?.[1];
  if (commit?.type !== 'commit' || tree === undefined) throw new Stopped('ref');
  const files: TreeFile[] = [];
  const add = (file: TreeFile) => {
    files.push(file);
    if (files.length > limits.files) throw new Stopped('file_limit', { limit: limits.files });
  };
  let folders = 0;
  const walk = (oid: string, prefix: string, depth: number): void => {
    folders += 1;
    if (depth > maxDepth || folders > maxFolders(limits)) throw new Stopped('too_large');
    const object = pack.read(oid);
    if (object?.type !== 'tree') throw new Stopped('failed');
    for (const entry of parseEntries(object.content)) {
      const path = `${prefix}${nameOf(entry)}`;
      if (!isAsked(path, paths)) continue;
      const reason = problemOf(entry, path);
      if (reason !== null) add({ path: reason === 'path_too_long' ? beginningOf(path) : path, reason });
      else if (kindOf(entry) === 'folder') walk(entry.oid, `${path}/`, depth + 1);
      else if (paths.length === 0 || isBelow(path, paths)) add({ path, oid: entry.oid, isExecutable: isExecutable(entry) });
    }
  };
  walk(tree, '', 0);
  if (files.length === 0 && paths.length > 0) throw new Stopped('paths');
  return { tree, files };
}

function problemOf(entry: TreeEntry, path: string): Extract<TreeFile, { reason: string }>['reason'] | null {
  const kind = kindOf(entry);
  const name = nameOf(entry);
  if (Buffer.byteLength(path) > maxPathBytes) return 'path_too_long';
  if (!isPathName(entry) || unspeakable.test(name)) return 'path_characters';
  if (reserved.test(name)) return 'path_reserved';
  return kind === 'link' || kind === 'submodule' ? kind : null;
}

function beginningOf(path: string): string {
  return `${Buffer.from(path)
    .subarray(0, toldPathBytes)
    .toString('utf8')
    .replace(/\ufffd$/, '')}…`;
}

/** Whether a path is one of these, below one of them, or a folder above one. */
function isAsked(path: string, paths: readonly string[]): boolean {
  return paths.length === 0 || isBelow(path, paths) || paths.some((one) => one.startsWith(`${path}/`));
}

function isBelow(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => path === one || path.startsWith(`${one}/`));
}

async function sendBlobs(pack: Pack, wanted: readonly string[], limits: GitLimits, ask: Work['ask']): Promise<void> {
  let blobs: GitBlob[] = [];
  let size = 0;
  let total = 0;
  const flush = async () => {
    if (blobs.length > 0) await ask({ kind: 'blobs', blobs });
    [blobs, size] = [[], 0];
  };
  for (const oid of wanted.toSorted((one, other) => pack.placeOf(one) - pack.placeOf(other))) {
    const object = pack.read(oid);
    const blob = blobOf(oid, object?.type === 'blob' ? object.content : null, limits);
    blobs.push(blob);
    size += 'content' in blob ? blob.content.length : 0;
    total += 'content' in blob ? blob.content.length : 0;
    if (total > limits.bytes) throw new Stopped('too_large');
    if (size >= sentBytes || blobs.length >= maxSent) await flush();
  }
  await flush();
}

function blobOf(oid: string, content: Buffer | null, { fileBytes }: GitLimits): GitBlob {
  if (content === null || content.length > fileBytes) return { oid, reason: 'too_large' };
  return isLfsPointer(content) ? { oid, reason: 'lfs' } : { oid, content };
}

function isLfsPointer(blob: Buffer): boolean {
  return blob.length < maxLfsBytes && lfsStart.equals(blob.subarray(0, lfsStart.length));
}
