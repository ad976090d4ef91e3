import { z } from 'zod';
import type { Db } from '../../../platform/database/database.ts';
import type { RunTool, ToolProvider } from '../run-tool.ts';
import { schemaTool, toolWords } from '../schema-tool.ts';
import type { BaseTree } from './base-tree.ts';
import { FileChanges } from './change-files.ts';
import { FileReads } from './read-files.ts';
import { createRunFiles, type RunFiles } from './run-files.ts';
import type { SearchThread } from './search-thread.ts';

const path = z.string().max(4_096);
const listArguments = z.object({ path: path.optional(), pattern: z.string().optional() });
const readArguments = z.object({ path, from: z.number().int().min(1).optional(), lines: z.number().int().min(1).optional() });
const searchArguments = z.object({
  query: z.string(),
  regex: z.boolean().optional(),
  path: path.optional(),
  context: z.number().int().min(0).optional(),
});
const changesArguments = z.object({});
const writeArguments = z
  .object({ path, content: z.string().optional(), executable: z.boolean().optional() })
  .refine(({ content, executable }) => content !== undefined || executable !== undefined, { path: ['content'] });
const editArguments = z.object({ path, old: z.string(), new: z.string(), replaceAll: z.boolean().optional() });
const deleteArguments = z.object({ path });
const moveArguments = z.object({ from: path, to: path });

/**
 * The tools for the files of a run: what its base tree and its earlier steps hold. An agent has them when there are files, as its settings say: all,
 * those that read, or none. A later version of a file replaces that of the base tree, and a removed file is not there.
 */
export function createFileTools({ thread, ...deps }: { db: Db; baseTree: BaseTree; thread: SearchThread }): ToolProvider {
  return toolsForFiles(createRunFiles(deps), thread);
}

/** The same for any files of a run. */
export function toolsForFiles(files: RunFiles, thread: SearchThread): ToolProvider {
  const reads = new FileReads(files, thread);
  const changes = new FileChanges(files);

  return {
    async toolsFor({ hasFiles, fileAccess, language }) {
      if (!hasFiles || fileAccess === 'none') return [];
      const say = toolWords[language];
      const about = (name: string, description: string, effect: RunTool['effect']) =>
        ({ name, description, effect, source: 'files', policy: 'auto' }) as const;
      const reading = [
        schemaTool(about('list_files', say.listFiles, 'read'), listArguments, (given, context) => reads.list(given, context)),
        schemaTool(about('read_file', say.readFile, 'read'), readArguments, (given, context) => reads.read(given, context)),
        schemaTool(about('search_files', say.searchFiles, 'read'), searchArguments, (given, context) => reads.search(given, context)),
        schemaTool(about('find_changes', say.findChanges, 'read'), changesArguments, (given, context) => reads.changes(given, context)),
      ];
      if (fileAccess === 'read') return reading;
      return [
        ...reading,
        schemaTool(about('edit_file', say.editFile, 'idempotent'), editArguments, (given, context) => changes.edit(given, context)),
        schemaTool(about('write_file', say.writeFile, 'idempotent'), writeArguments, (given, context) => changes.write(given, context)),
        schemaTool(about('delete_file', say.deleteFile, 'idempotent'), deleteArguments, (given, context) => changes.remove(given, context)),
        schemaTool(about('move_file', say.moveFile, 'idempotent'), moveArguments, (given, context) => changes.move(given, context)),
      ];
    },
  };
}
