import { findRenames, type RenamedFile } from '../../platform/git/merge/find-renames.ts';
import { type CompareOptions, compareFile, type FileVersions } from './compare-file.ts';

export type Comparison = { versions: FileVersions; options: CompareOptions };
export type RenameSearch = { removed: readonly RenamedFile[]; added: readonly RenamedFile[] };

/** The tasks of the thread of `createFileThread`. */
export const compare = ({ versions, options }: Comparison) => compareFile(versions, options);
export const renames = ({ removed, added }: RenameSearch) => findRenames(removed, added);
export { zipArchive as pack } from './zip-archive.ts';
