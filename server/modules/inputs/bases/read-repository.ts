import type { Db } from '../../../platform/database/database.ts';
import { distinct, lastOfEach, type UniqueRows } from '../../../platform/database/unique-rows.ts';
import type { FetchTree, GitRequest } from '../../../platform/git/fetch-tree.ts';
import type { GitBlob, GitTree } from '../../../platform/git/git-messages.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { DrawnText } from '../documents/draw-texts.ts';
import { mimeOf } from '../mime-of.ts';
import { type ReadFile, readContent } from '../read-input-file.ts';
import { type BaseEntry, gitBases, type StoredBlob } from './git-bases.ts';

type ReadingDeps = {
  db: Db;
  userId: OwnerId;
  fetchTree: FetchTree;
  /** Draws the text out of a document; null for another file. */
  draw: (path: string, content: Uint8Array) => Promise<DrawnText | null>;
  withDrawn: (file: ReadFile, drawn: DrawnText | undefined) => ReadFile;
  /** Runs a write of so many bytes within the account's limit, in its turn. */
  storing: (bytes: number, write: () => Promise<void>) => Promise<void>;
};

/** A tree whose blobs are stored. `base`: the one that is stored already. */
export type ReadRepository = {
  sha: string;
  ref: string;
  isBranch: boolean;
  tree: string;
  base: string | null;
  files: UniqueRows<BaseEntry>;
};

/**
 * Fetches a repository at one commit, and stores those of its blobs that the account does not have. They are stored as they come: no more
 * than a few of them are in memory.
 */
export async function readRepository(deps: ReadingDeps, request: GitRequest, pathsKey: string): Promise<ReadRepository> {
  const { db, userId, fetchTree, draw, withDrawn, storing } = deps;
  const bases = gitBases(db, userId);
  const stored = new Set<string>();
  const withToken = new Set<string>();
  const pathOf = new Map<string, string>();
  let read: { tree: GitTree; base: string | null } | null = null;

  const receiveTree = async (tree: GitTree): Promise<readonly string[]> => {
    const base = await bases.find(tree.tree, pathsKey);
    read = { tree, base };
    for (const file of tree.files) if ('oid' in file && !pathOf.has(file.oid)) pathOf.set(file.oid, file.path);
    return base === null ? bases.missing([...pathOf.keys()]) : [];
  };

  const toRow = async (blob: GitBlob): Promise<StoredBlob | null> => {
    const empty = { bytes: 0, sha256: '', content: null, text: null, encoding: null, replaced: 0, mime: mimeOf('', 'binary') };
    if ('reason' in blob) {
      if (blob.reason !== 'token') return { ...empty, oid: blob.oid, kind: 'binary', reason: blob.reason };
      withToken.add(blob.oid);
      return null;
    }
    const path = pathOf.get(blob.oid) ?? '';
    const found = await readContent(path, blob.content, true);
    if (!found.ok) return { ...empty, oid: blob.oid, kind: 'binary', reason: found.reason };
    const { path: _path, executable: _mode, ...file } = withDrawn(found.file, (await draw(path, blob.content)) ?? undefined);
    return { ...file, oid: blob.oid, reason: null };
  };

  const receiveBlobs = async (blobs: readonly GitBlob[]): Promise<void> => {
    const rows: StoredBlob[] = [];
    for (const blob of blobs) {
      if (stored.has(blob.oid)) continue;
      stored.add(blob.oid);
      const row = await toRow(blob);
      if (row) rows.push(row);
    }
    const bytes = rows.reduce((sum, { content, text }) => sum + (content?.length ?? 0) + Buffer.byteLength(text ?? ''), 0);
    if (rows.length > 0) await storing(bytes, () => bases.putBlobs(distinct(rows, ({ oid }) => oid)));
  };

  await fetchTree(request, { tree: receiveTree, blobs: receiveBlobs });
  const { tree, base } = read as unknown as { tree: GitTree; base: string | null };
  const entries = tree.files.map((file): BaseEntry => {
    const { path } = file;
    const mime = mimeOf(path, 'text');
    if ('reason' in file) return { path, oid: null, executable: false, mime, reason: file.reason };
    const isHidden = withToken.has(file.oid);
    return { path, oid: isHidden ? null : file.oid, executable: file.isExecutable, mime, reason: isHidden ? 'token' : null };
  });
  const { sha, ref, isBranch } = tree;
  // A broken tree may have two entries of one name.
  return { sha, ref, isBranch, tree: tree.tree, base, files: lastOfEach(entries, ({ path }) => path) };
}
