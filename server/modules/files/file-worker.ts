import { compareFile, type FileVersions } from './compare-file.ts';

export type Comparison = { versions: FileVersions; maxEdits: number };

/** The tasks of the thread of `createFileThread`. */
export const compare = ({ versions, maxEdits }: Comparison) => compareFile(versions, maxEdits);
export { zipArchive as pack } from './zip-archive.ts';
