export type { RefusedFile } from './file-blocks.ts';
export { type FileDiff, fileDiff } from './file-diff.ts';
export { createLeftFiles, type LeftFiles } from './left-files.ts';
export { fileRepository, storingFiles } from './repository.ts';
export { executionFiles } from './tables.ts';
export { zipArchive } from './zip-archive.ts';
