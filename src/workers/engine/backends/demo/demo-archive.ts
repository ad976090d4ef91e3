import { strToU8, type Zippable, zipSync } from 'fflate';
import type { ExecutionFile } from '../../../../../contract/executions/file.ts';
import { demoFiles } from './demo-files.ts';

/** The files as a ZIP, made in the browser: no server is called. R42 */
export function demoArchive(files: readonly ExecutionFile[]): Uint8Array {
  const archive: Zippable = {};
  for (const { path, createdAt } of files) archive[path] = [strToU8(demoFiles[path]?.content ?? ''), { mtime: createdAt }];
  return zipSync(archive);
}
