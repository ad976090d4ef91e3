export { admitFiles, type BasePath } from './admit-files.ts';
export { alignLineEnds, keepMixedLineEnds } from './align-line-ends.ts';
export { type ChangeOfFile, changeOf, compareFile, type FileDiff, type FileVersions } from './compare-file.ts';
export {
  blockOfFile,
  type FileBlock,
  type FileBlocks,
  type FileChange,
  fileBlocksOf,
  type RefusedFile,
} from './file-blocks.ts';
export { createFileThread, type FileThread } from './file-thread.ts';
export { createFilesInAnswer, type FilesInAnswer } from './files-in-answer.ts';
export { keepLineEnds } from './keep-line-ends.ts';
export { OccupiedPaths } from './occupied-paths.ts';
export { type ChangedFile, FileRepository, type NewestFile, storingFiles } from './repository.ts';
export { safePath, shownPath } from './safe-path.ts';
export { executionFiles } from './tables.ts';
export type { ZipEntry } from './zip-archive.ts';
