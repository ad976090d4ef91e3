import type { Db } from '../../platform/database/database.ts';
import { admitFiles, type BasePath } from './admit-files.ts';
import { keepMixedLineEnds } from './align-line-ends.ts';
import { type FileBlock, type FileBlocks, fileBlocksOf } from './file-blocks.ts';
import { FileRepository, type NewestFile } from './repository.ts';

/** Returns the paths of the base tree that files of an answer must fit beside. */
type BasePaths = (executionId: string, files: readonly { path: string; content: string }[]) => Promise<readonly BasePath[]>;

/** The texts of the base tree that files of an answer replace. */
type BaseTexts = (executionId: string, paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Returns the files that a step's answer adds to its execution, and its refused files. A new version of a file keeps its mixed line ends, its mode,
 * and from where it was moved. Called by the worker of the execution, before the step is stored.
 */
export function createFilesInAnswer(db: Db, base: { paths: BasePaths; texts: BaseTexts }) {
  const files = new FileRepository(db);
  return async (executionId: string, answer: string): Promise<FileBlocks> => {
    const blocks = fileBlocksOf(answer);
    if (blocks.files.length === 0) return blocks;
    const given = blocks.files.map(({ path }) => path);
    const texts = await base.texts(executionId, given);
    const kept: FileBlock[] = [];
    for (const file of blocks.files) kept.push(keepMarks(file, await files.newest(executionId, file.path), texts.get(file.path) ?? null));
    const [held, paths] = await Promise.all([files.held(executionId), base.paths(executionId, kept)]);
    return admitFiles({ files: kept, refused: blocks.refused }, held, paths);
  };
}

function keepMarks(file: FileBlock, before: NewestFile | null, ofBase: string | null): FileBlock {
  const content = keepMixedLineEnds(before ? before.content : ofBase, file.content);
  const kept: FileBlock = { ...file, content, size: Buffer.byteLength(content) };
  if (!before || before.removed) return kept;
  if (before.movedFrom !== null) kept.movedFrom = before.movedFrom;
  if (before.executable !== null) kept.executable = before.executable;
  return kept;
}

export type FilesInAnswer = ReturnType<typeof createFilesInAnswer>;
