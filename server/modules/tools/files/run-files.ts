import { createHash } from 'node:crypto';
import type { InputRefusal } from '../../../../contract/input.ts';
import type { Db } from '../../../platform/database/database.ts';
import { FileRepository, type NewestFile, shownPath } from '../../files/index.ts';
import type { ToolContext } from '../run-tool.ts';
import { fill, toolWords } from '../schema-tool.ts';
import type { BaseTree, ListedFile } from './base-tree.ts';

/** A file as a run has it now: with the newest version of a step, or as the base tree has it. */
export type RunFile = ListedFile & { own: NewestFile | null; isInBase: boolean };

type LatestFile = Awaited<ReturnType<FileRepository['latest']>>[number];

/** The text of a file. `sha256` names the version. */
type RunText = { text: string; sha256: string };

/** Reads the files of a run as they are now: those that it began with, and what its steps have done to them. A removed file is not there. */
export function createRunFiles({ db, baseTree }: { db: Db; baseTree: BaseTree }) {
  const files = new FileRepository(db);

  /** Puts what the steps have done over files of the base tree. Returns the files by path. */
  const withOwn = (base: readonly ListedFile[], own: readonly LatestFile[]): Map<string, RunFile> => {
    const all = new Map<string, RunFile>();
    for (const { path, bytes, encoding, replaced } of base) all.set(path, { path, bytes, encoding, replaced, own: null, isInBase: true });
    for (const { path, size, removed, ...version } of own) {
      const before = all.get(path);
      const { encoding = null, replaced = 0, isInBase = false } = before ?? {};
      if (removed) all.delete(path);
      else all.set(path, { path, bytes: size, encoding, replaced, own: { ...version, content: null, size, removed }, isInBase });
    }
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  };

  /** Returns all files, by path. `folder`: only those in it. */
  const list = async (executionId: string, folder = ''): Promise<Map<string, RunFile>> => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const [base, own] = await Promise.all([baseTree.list(executionId, prefix), files.latest(executionId)]);
    return withOwn(
      base,
      own.filter(({ path }) => path.startsWith(prefix)),
    );
  };

  /** Returns the files that a call names, by path: also those with the same characters in another normal form. */
  const named = async (executionId: string, given: readonly string[]): Promise<Map<string, RunFile>> => {
    const paths = given.map(belowRoot);
    const forms = new Set(paths.map((path) => path.normalize('NFC')));
    const [base, own] = await Promise.all([baseTree.at(executionId, paths), files.latest(executionId)]);
    return withOwn(
      base,
      own.filter(({ path }) => forms.has(path.normalize('NFC'))),
    );
  };

  /** Whether there is a file below a path. */
  const isFolder = async (executionId: string, path: string): Promise<boolean> => {
    const folder = path.endsWith('/') ? path : `${path}/`;
    const [base, own] = await Promise.all([baseTree.below(executionId, folder), files.latest(executionId)]);
    const removed = new Set(own.flatMap((one) => (one.removed ? [one.path] : [])));
    return base.some((one) => !removed.has(one)) || own.some((one) => !one.removed && one.path.startsWith(folder));
  };

  /** Returns the text of a file; null for one that is not text or not there. */
  const textOf = async (executionId: string, path: string): Promise<RunText | null> => {
    const own = await files.newest(executionId, path);
    if (own) return own.content === null ? null : { text: own.content, sha256: hashOf(own.content) };
    return baseTree.text(executionId, path);
  };

  /** Reads the newest text of each file, in the order of their paths, those of PDFs too. */
  async function* readTexts(executionId: string): AsyncGenerator<{ path: string; text: string }> {
    const changed = (await files.changes(executionId)).map(({ path, content }) => ({ path, content }));
    const own = new Set(changed.map(({ path }) => path));
    const waiting = changed.flatMap(({ path, content }) => (content === null ? [] : [{ path, text: content }]));
    const before = (path: string) => waiting[0] !== undefined && waiting[0].path < path;
    waiting.sort((a, b) => (a.path < b.path ? -1 : 1));
    for await (const file of baseTree.readTexts(executionId)) {
      while (before(file.path)) yield waiting.shift() as { path: string; text: string };
      if (!own.has(file.path)) yield file;
    }
    yield* waiting;
  }

  /** Returns what the base tree has by name only, by path: what stands for it in a list of files. `paths`: only these. */
  const namesOnly = async (
    executionId: string,
    language: ToolContext['language'],
    paths?: readonly string[],
  ): Promise<Map<string, string>> => {
    const say = toolWords[language];
    const kinds: Partial<Record<InputRefusal, string>> = { link: say.kindLink, submodule: say.kindSubmodule, lfs: say.kindLfs };
    const left = await baseTree.leftOut(executionId, paths);
    // A path that the user's own file has is the one of that file.
    return new Map(left.flatMap(({ path, reason }) => (reason === 'path_kept' ? [] : [[path, kinds[reason] ?? say.kindOther]])));
  };

  return { list, named, isFolder, namesOnly, textOf, readTexts, repository: files, base: baseTree };
}

export type RunFiles = ReturnType<typeof createRunFiles>;

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns a path as the files have it: without `./` or `/` before it. */
export function belowRoot(path: string): string {
  let rest = path.trim();
  while (rest.startsWith('./') || rest.startsWith('/')) rest = rest.slice(rest.indexOf('/') + 1);
  return rest;
}

/** Returns the path of a file that is there: as it is written, or with the same characters in another normal form; else as it is written. C6.05 */
export function namedIn(all: ReadonlyMap<string, unknown>, given: string): string {
  const path = belowRoot(given);
  const wanted = path.normalize('NFC');
  // A name of ASCII has one form.
  if (all.has(path) || Buffer.byteLength(path) === path.length) return path;
  return [...all.keys()].find((one) => one.normalize('NFC') === wanted) ?? path;
}

/** Says what a path of the base tree is that has a name only. Null for other paths. */
export function namedOnly(names: ReadonlyMap<string, string>, path: string, language: ToolContext['language']): string | null {
  const kind = names.get(path);
  return kind === undefined ? null : fill(toolWords[language].nameOnly, { path: shownPath(path), kind });
}
