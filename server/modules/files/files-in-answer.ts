import type { Db } from '../../platform/database/database.ts';
import { admitFiles } from './admit-files.ts';
import { type FileBlocks, fileBlocksOf } from './file-blocks.ts';
import { fileRepository } from './repository.ts';

/**
 * Returns the files that a step's answer adds to its execution, and its refused files. Called by the worker of the execution, before the
 * step is stored.
 */
export function createFilesInAnswer(db: Db) {
  return async (executionId: string, answer: string): Promise<FileBlocks> => {
    const blocks = fileBlocksOf(answer);
    return blocks.files.length === 0 ? blocks : admitFiles(blocks, await fileRepository(db).held(executionId));
  };
}

export type FilesInAnswer = ReturnType<typeof createFilesInAnswer>;
