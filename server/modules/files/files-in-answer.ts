import type { Db } from '../../platform/database/database.ts';
import { admitFiles, type BasePath } from './admit-files.ts';
import { type FileBlocks, fileBlocksOf } from './file-blocks.ts';
import { fileRepository } from './repository.ts';

/** Returns the paths of the base tree that files of an answer must fit beside. */
type BasePaths = (executionId: string, files: readonly { path: string; content: string }[]) => Promise<readonly BasePath[]>;

/**
 * Returns the files that a step's answer adds to its execution, and its refused files. Called by the worker of the execution, before the
 * step is stored.
 */
export function createFilesInAnswer(db: Db, basePaths: BasePaths) {
  return async (executionId: string, answer: string): Promise<FileBlocks> => {
    const blocks = fileBlocksOf(answer);
    if (blocks.files.length === 0) return blocks;
    const [held, base] = await Promise.all([fileRepository(db).held(executionId), basePaths(executionId, blocks.files)]);
    return admitFiles(blocks, held, base);
  };
}

export type FilesInAnswer = ReturnType<typeof createFilesInAnswer>;
