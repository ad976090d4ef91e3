export { admitFiles } from './admit-files.ts';
export type { FileDiff } from './compare-file.ts';
export { compareFile } from './compare-file.ts';
export { blockOfFile, type FileBlock, type RefusedFile } from './file-blocks.ts';
export { createFileThread, type FileThread } from './file-thread.ts';
export { createFilesInAnswer, type FilesInAnswer } from './files-in-answer.ts';
export { fileRepository, storingFiles } from './repository.ts';
export { safePath, shownPath } from './safe-path.ts';
export { executionFiles } from './tables.ts';
