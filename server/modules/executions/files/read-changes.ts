import type { Db } from '../../../platform/database/database.ts';
import { type ChangedFile, FileRepository, keepLineEnds } from '../../files/index.ts';
import { type BaseVersion, type EncodedVersion, InputFiles } from '../../inputs/index.ts';
import type { ExecutionRow } from '../store/rows.ts';
import { previousFiles } from './previous-files.ts';

/** What a run did to a file. */
export type RunChange = {
  path: string;
  /** Null for a file that the run did not begin with. */
  before: BaseVersion | null;
  /** Null for a removed file. */
  after: BaseVersion | null;
  createdAt: Date;
};

/** Returns what a run did to its files, against its base tree. `paths`: only these. */
export async function changesOfBase(db: Db, id: string, paths?: readonly string[]): Promise<RunChange[]> {
  const base = new InputFiles(db);
  const rows = await new FileRepository(db).changes(id, paths);
  const texts = rows.flatMap(({ path, content }) => (content === null ? [] : [{ path, content }]));
  const [originals, sources, encoded, moved] = await Promise.all([
    base.originals(
      id,
      rows.map(({ path }) => path),
    ),
    base.given(
      id,
      rows.flatMap(({ movedFrom }) => movedFrom ?? []),
    ),
    base.encoded(id, texts),
    base.encoded(
      id,
      rows.flatMap(({ movedFrom, content }) => (movedFrom === null || content === null ? [] : [{ path: movedFrom, content }])),
    ),
  ]);
  return rows.map((row) => toRunChange(row, { originals, sources, encoded, moved }));
}

/** The same against the files of the project's earlier runs, for a run without a base tree. */
export async function changesOfProject(db: Db, row: ExecutionRow, paths?: readonly string[]): Promise<RunChange[]> {
  if (row.inputSetId !== null) return changesOfBase(db, row.id, paths);
  const rows = await new FileRepository(db).changes(row.id, paths);
  const previous = await previousFiles(
    db,
    row,
    rows.map(({ path }) => path),
  );
  const originals = new Map([...previous].map(([path, { content, executable }]) => [path, versionOf(content, executable)]));
  return rows.map((one) => toRunChange(one, { originals, sources: new Map(), encoded: new Map(), moved: new Map() }));
}

/** What a run began with, by path. `moved`: texts in the encoding of the file that they were moved from, by its path. */
type ChangedFrom = {
  originals: ReadonlyMap<string, BaseVersion>;
  sources: ReadonlyMap<string, BaseVersion>;
  encoded: ReadonlyMap<string, EncodedVersion>;
  moved: ReadonlyMap<string, EncodedVersion>;
};

/** A text has the line ends and the encoding of the file that it replaces, or that it was moved from. */
export function toRunChange(row: ChangedFile, from: ChangedFrom): RunChange {
  const { path, content, removed, movedFrom, createdAt } = row;
  const before = from.originals.get(path) ?? null;
  if (removed) return { path, before, after: null, createdAt };
  const source = movedFrom === null ? undefined : from.sources.get(movedFrom);
  const executable = row.executable ?? before?.executable ?? source?.executable ?? false;
  if (content === null) {
    if (!source) throw new Error(`A moved file has no bytes: ${path}`);
    return { path, before, after: { ...source, executable }, createdAt };
  }
  const text = keepLineEnds(before?.text ?? null, content);
  const encoded = from.encoded.get(path) ?? (before || movedFrom === null ? undefined : from.moved.get(movedFrom));
  return { path, before, after: { text, executable, bytes: encoded ? demandEncoded(path, encoded) : Buffer.from(text) }, createdAt };
}

function versionOf(text: string, executable: boolean): BaseVersion {
  return { text, executable, bytes: Buffer.from(text) };
}

/** A file that its encoding cannot hold is refused when it is written. */
function demandEncoded(path: string, { after }: EncodedVersion): Buffer {
  if (after === null) throw new Error(`A text was stored that the encoding of the file cannot hold: ${path}`);
  return after;
}
