import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type ServerText, translate } from '../../http/language.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { admitFiles, blockOfFile, fileRepository, shownPath, spellingIn } from '../files/index.ts';
import type { BaseTree, ListedFile } from './base-tree.ts';
import type { RunTool, ToolContext, ToolProvider, ToolResult } from './run-tool.ts';
import { failed, fill, partOf, schemaTool, toolWords } from './schema-tool.ts';
import { maxSearchMs, searchTexts } from './search-texts.ts';

/** The most lines of a list. */
const maxListed = 2_000;
/** How many searches are made at a time. They read all files of a run, 58 MB at most. */
const searchLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 10_000, maxPerAccount: 1_000 };

const noArguments = z.object({ folder: z.string().max(400).optional() });
const readArguments = z.object({ path: z.string().max(4_096), offset: z.number().int().min(0).optional() });
const searchArguments = z.object({ text: z.string().trim().min(1).max(200) });
const writeArguments = z.object({ path: z.string().max(4_096), content: z.string() });

/**
 * The tools for the files of a run: what its base tree and its earlier steps hold. An agent has them when there are files. A later
 * version of a file replaces that of the base tree.
 */
export function createFileTools({ db, baseTree }: { db: Db; baseTree: BaseTree }): ToolProvider {
  const files = fileRepository(db);
  const searches = new AdmissionQueue(searchLimits);

  const listAll = async (executionId: string): Promise<Map<string, Omit<ListedFile, 'path'>>> => {
    const [base, own] = await Promise.all([baseTree.list(executionId), files.latest(executionId)]);
    const all = new Map(base.map(({ path, bytes, encoding, replaced }) => [path, { bytes, encoding, replaced }]));
    for (const { path, size } of own) all.set(path, { bytes: size, encoding: null, replaced: 0 });
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  };

  const textOf = async (executionId: string, path: string): Promise<{ text: string; sha256: string } | null> => {
    const own = await files.content(executionId, path);
    if (own !== null) return { text: own, sha256: createHash('sha256').update(own).digest('hex') };
    return baseTree.text(executionId, path);
  };

  const list = async (given: z.output<typeof noArguments>, { executionId, language }: ToolContext): Promise<ToolResult> => {
    const say = toolWords[language];
    const folder = belowRoot(given.folder ?? '');
    const prefix = folder === '' || folder === '.' ? '' : folder.endsWith('/') ? folder : `${folder}/`;
    const all = [...(await listAll(executionId))].filter(([path]) => path.startsWith(prefix));
    if (all.length === 0) return { ok: true, text: say.noFiles };
    const lines = all.slice(0, maxListed).map(([path, { bytes, encoding, replaced }]) => {
      const read = encoding === null ? [] : [fill(say.readAs, { encoding })];
      const lost = replaced === 0 ? [] : [fill(say.replaced, { count: replaced })];
      return `${path} (${[bytes, ...read, ...lost].join('; ')})`;
    });
    const left = all.length - lines.length;
    return { ok: true, text: [...lines, ...(left > 0 ? [fill(say.moreFiles, { count: left })] : [])].join('\n') };
  };

  const read = async (
    { path, offset = 0 }: z.output<typeof readArguments>,
    { executionId, language }: ToolContext,
  ): Promise<ToolResult> => {
    const say = toolWords[language];
    const name = belowRoot(path);
    const found = await textOf(executionId, name);
    if (!found) {
      const isThere = (await listAll(executionId)).has(name);
      return failed(fill(isThere ? say.notText : say.noSuchFile, { path: shownPath(name) }));
    }
    const { text, sha256 } = found;
    return { ok: true, text: partOf(text, offset, say), reads: [{ path: name, sha256 }] };
  };

  /** The newest text of each file of the run. */
  async function* readAll(executionId: string): AsyncGenerator<{ path: string; text: string }> {
    const own = await files.contents(executionId);
    yield* own.map(({ path, content }) => ({ path, text: content }));
    const ownPaths = new Set(own.map(({ path }) => path));
    for await (const file of baseTree.readTexts(executionId)) if (!ownPaths.has(file.path)) yield file;
  }

  const search = async ({ text }: z.output<typeof searchArguments>, context: ToolContext): Promise<ToolResult> => {
    const say = toolWords[context.language];
    const { executionId, userId, signal } = context;
    const work = () => searchTexts(readAll(executionId), { words: text, signal, elapsed });
    const { found, isWhole } = await searches.run(userId, work, signal);
    if (found.length === 0 && isWhole) return { ok: true, text: fill(say.notFound, { text }) };
    return { ok: true, text: [...found, ...(isWhole ? [] : [fill(say.searchEnded, { seconds: maxSearchMs / 1_000 })])].join('\n') };
  };

  const write = async ({ path, content }: z.output<typeof writeArguments>, context: ToolContext): Promise<ToolResult> => {
    const { executionId, language } = context;
    const refuse = (reason: string) => failed(`${shownPath(path)}: ${translate(language, `file.${reason}` as ServerText)}`);
    const [held, base] = await Promise.all([files.held(executionId), baseTree.paths(executionId, [{ path: belowRoot(path), content }])]);
    const block = blockOfFile(path, content, spellingIn(base)(belowRoot(path)));
    if (typeof block === 'string') return refuse(block);
    const {
      refused,
      files: [file],
    } = admitFiles({ files: [block], refused: [] }, held, base);
    if (refused[0] || !file) return refuse(refused[0]?.reason ?? 'no_room');
    return { ok: true, text: fill(toolWords[language].written, { path: file.path, bytes: file.size }), writes: [file] };
  };

  return {
    async toolsFor({ hasFiles, language }) {
      if (!hasFiles) return [];
      const say = toolWords[language];
      const about = (name: string, description: string, effect: RunTool['effect']) =>
        ({ name, description, effect, source: 'files', policy: 'auto' }) as const;
      return [
        schemaTool(about('list_files', say.listFiles, 'read'), noArguments, list),
        schemaTool(about('read_file', say.readFile, 'read'), readArguments, read),
        schemaTool(about('search_files', say.searchFiles, 'read'), searchArguments, search),
        schemaTool(about('write_file', say.writeFile, 'idempotent'), writeArguments, write),
      ];
    },
  };
}

/** Returns a path as the files have it: without `./` or `/` before it. */
function belowRoot(path: string): string {
  let rest = path.trim();
  while (rest.startsWith('./') || rest.startsWith('/')) rest = rest.slice(rest.indexOf('/') + 1);
  return rest;
}
