import type { Db } from '../../../platform/database/database.ts';
import type { FilesInAnswer, ZipEntry } from '../../files/index.ts';
import type { InputFiles } from '../../inputs/index.ts';
import { changesOfBase } from '../files/read-changes.ts';

/** The files of a run as its tests find them, the paths that it has removed, and how its base differs: files as they were, and paths that it lacks. */
export type FilesOfJob = { sent: Map<string, ZipEntry>; removed: Set<string>; base: { files: ZipEntry[]; added: string[] } };

type FilesDeps = { db: Db; base: InputFiles; filesInAnswer: FilesInAnswer; now: () => Date };

/**
 * Returns the files as a run has them now, without removed ones and with those of the answer. A new version of a file keeps its mode and its
 * encoding.
 */
export async function readFilesOfJob(
  { db, base, filesInAnswer, now }: FilesDeps,
  executionId: string,
  answer: string,
): Promise<FilesOfJob> {
  const [given, changes, answered] = await Promise.all([
    base.contents(executionId),
    changesOfBase(db, executionId),
    filesInAnswer(executionId, answer),
  ]);
  const createdAt = now();
  const before = new Map<string, ZipEntry>(given.map((file) => [file.path, { ...file, createdAt }]));
  const sent = new Map(before);
  const removed = new Set<string>();
  for (const { path, after, createdAt: changedAt } of changes) {
    if (after) sent.set(path, { path, content: after.bytes, createdAt: changedAt, isExecutable: after.executable });
    else if (sent.delete(path)) removed.add(path);
  }
  const encoded = await base.encoded(executionId, answered.files);
  for (const { path, content } of answered.files) {
    const isExecutable = sent.get(path)?.isExecutable ?? false;
    sent.set(path, { path, createdAt, isExecutable, content: encoded.get(path)?.after ?? content });
  }
  const files = [...before.values()].filter((file) => sent.get(file.path) !== file);
  return { sent, removed, base: { files, added: [...sent.keys()].filter((path) => !before.has(path)) } };
}
