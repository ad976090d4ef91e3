import type { FileDiff, FileThread, FileVersions } from '../../files/index.ts';
import type { BaseVersion } from '../../inputs/index.ts';
import type { RunChange } from './read-changes.ts';

/** A change that Git would name: a renamed file is one change, and stands at its new path. */
export type NamedChange = RunChange & { renamed?: { from: string; similarity: number } };

type RenameThread = Pick<FileThread, 'renames'>;

/** Puts removed and added files together where Git finds that they are one. Leaves out files that the run has both made and removed. */
export async function withRenames(thread: RenameThread, changes: readonly RunChange[]): Promise<NamedChange[]> {
  const there = changes.filter(({ before, after }) => before !== null || after !== null);
  const removed = there.flatMap(({ path, before, after }) => (before && !after ? [{ path, bytes: before.bytes }] : []));
  const added = there.flatMap(({ path, before, after }) => (after && !before ? [{ path, bytes: after.bytes }] : []));
  if (removed.length === 0 || added.length === 0) return there;
  const renames = new Map((await thread.renames({ removed, added })).map((one) => [one.path, one]));
  const sources = new Set([...renames.values()].map(({ from }) => from));
  const byPath = new Map(there.map((change) => [change.path, change]));
  return there.flatMap((change): NamedChange[] => {
    if (sources.has(change.path)) return [];
    const rename = renames.get(change.path);
    if (!rename) return [change];
    const { from, similarity } = rename;
    return [{ ...change, before: byPath.get(from)?.before ?? null, renamed: { from, similarity } }];
  });
}

/** Compares the texts of files as they are shown. What is not text is only named. */
export function compareChanges(thread: Pick<FileThread, 'compare'>, changes: readonly NamedChange[]): Promise<FileDiff[]> {
  return thread.compare(changes.map((change) => toVersions(change)));
}

/** Makes the patch that Git applies to the files as they are in the repository: in their encodings, and with the bytes of what is not text. */
export async function patchOf(thread: Pick<FileThread, 'compare'>, changes: readonly NamedChange[]): Promise<Buffer> {
  const inBytes = ({ text, bytes }: BaseVersion) => (text === null ? bytes : bytes.toString('latin1'));
  const diffs = await thread.compare(
    changes.map((change) => toVersions(change, inBytes)),
    { isPatch: true },
  );
  return Buffer.concat(diffs.map(({ diff }) => Buffer.from(diff, 'latin1')));
}

const asText = ({ text, bytes }: BaseVersion): string | Uint8Array => text ?? bytes;

export function toVersions({ path, before, after, renamed }: NamedChange, contentOf = asText): FileVersions {
  return {
    path,
    renamed,
    before: before && contentOf(before),
    after: after && contentOf(after),
    wasExecutable: before?.executable,
    isExecutable: after?.executable,
  };
}
