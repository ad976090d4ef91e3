import { withoutTrailingSlashes } from '../../../../contract/without-trailing-slashes.ts';
import { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import { elapsed } from '../../../platform/clock.ts';
import { shownPath } from '../../files/index.ts';
import type { ToolContext, ToolResult } from '../run-tool.ts';
import { failed, fill, toolWords } from '../schema-tool.ts';
import { numberedLines } from './numbered-lines.ts';
import { belowRoot, namedIn, namedOnly, type RunFile, type RunFiles } from './run-files.ts';
import { maxFound, maxSearchMs, searchFiles, writtenLines } from './search-files.ts';
import { faultOf, type SearchThread } from './search-thread.ts';

/** The most lines of a list. */
const maxListed = 2_000;
/** The longest pattern of paths, and the longest text and expression of a search (characters). */
const maxPattern = 200;
const maxQuery = 1_000;
/** The most lines around each line that is found. */
const maxContext = 10;
/** How many searches are made at a time. They read all files of a run. */
const searchLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 10_000, maxPerAccount: 1_000 };

/** What the tools do that read files. */
export class FileReads {
  readonly #files: RunFiles;
  readonly #thread: SearchThread;
  readonly #searches = new AdmissionQueue(searchLimits);

  constructor(files: RunFiles, thread: SearchThread) {
    this.#files = files;
    this.#thread = thread;
  }

  async list(given: { path?: string | undefined; pattern?: string | undefined }, context: ToolContext): Promise<ToolResult> {
    const { executionId, language, signal } = context;
    const say = toolWords[language];
    if ((given.pattern?.length ?? 0) > maxPattern) return failed(fill(say.patternTooLong, { limit: maxPattern }));
    const folder = folderOf(given.path ?? '');
    const [inside, itself, names] = await Promise.all([
      this.#files.list(executionId, folder),
      this.#files.named(executionId, folder === '' ? [] : [folder]),
      this.#files.namesOnly(executionId, language),
    ]);
    const known = new Map([...itself, ...inside]);
    const below = [...known.values(), ...shownNames(known, names)].filter(({ path }) => isBelow(folder, path)).sort(byPath);
    const all = given.pattern ? await this.#matching(below, folder, given.pattern, signal) : below;
    if (all === null) return failed(say.patternTooSlow);
    if (all.length === 0) return { ok: true, text: say.noFiles };
    const lines = all.slice(0, maxListed).map((one) => {
      if ('kind' in one) return `${one.path} (${one.kind})`;
      const { path, bytes, encoding, replaced } = one;
      const read = encoding === null ? [] : [fill(say.readAs, { encoding })];
      const lost = replaced === 0 ? [] : [fill(say.replaced, { count: replaced })];
      return `${path} (${[bytes, ...read, ...lost].join('; ')})`;
    });
    const left = all.length - lines.length;
    return { ok: true, text: [...lines, ...(left > 0 ? [fill(say.moreFiles, { count: left })] : [])].join('\n') };
  }

  async read(
    { path, from = 1, lines }: { path: string; from?: number | undefined; lines?: number | undefined },
    { executionId, language }: ToolContext,
  ): Promise<ToolResult> {
    const say = toolWords[language];
    let name = belowRoot(path);
    let found = await this.#files.textOf(executionId, name);
    if (!found) {
      const all = await this.#files.named(executionId, [path]);
      name = namedIn(all, path);
      found = await this.#files.textOf(executionId, name);
      const nameOnly = all.has(name) ? null : namedOnly(await this.#files.namesOnly(executionId, language, [name]), name, language);
      if (nameOnly !== null) return failed(nameOnly);
      if (!found) return failed(fill(all.has(name) ? say.notText : say.noSuchFile, { path: shownPath(name) }));
    }
    const { text, sha256 } = found;
    const { part, last, count, isCut } = numberedLines(text, from, lines);
    if (part === null) return failed(fill(say.noSuchLine, { from, count, path: shownPath(name) }));
    const notes = [...(isCut ? [say.linesCut] : []), ...(last < count ? [fill(say.linesUntil, { last, count, next: last + 1 })] : [])];
    return { ok: true, text: [part, ...notes].join('\n'), reads: [{ path: name, sha256 }] };
  }

  async search(
    given: { query: string; regex?: boolean | undefined; path?: string | undefined; context?: number | undefined },
    { executionId, userId, signal, language }: ToolContext,
  ): Promise<ToolResult> {
    const say = toolWords[language];
    const { query, regex: isExpression = false } = given;
    const context = Math.min(given.context ?? 0, maxContext);
    if (query.trim() === '') return failed(say.queryEmpty);
    if (query.length > maxQuery) return failed(fill(say.queryTooLong, { limit: maxQuery }));
    const fault = isExpression ? faultOf(query) : null;
    if (fault !== null) return failed(fill(say.wrongExpression, { fault }));
    const folder = folderOf(given.path ?? '');
    const work = () =>
      searchFiles(below(folder, this.#files.readTexts(executionId)), {
        query,
        isExpression,
        context,
        thread: this.#thread,
        signal,
        elapsed,
      });
    const { files: found, count, isWhole } = await this.#searches.run(userId, work, signal);
    if (count === 0 && isWhole) return { ok: true, text: fill(say.notFound, { text: query }) };
    const more = count - maxFound;
    const notes = [
      ...((given.context ?? 0) > maxContext ? [fill(say.contextCut, { limit: maxContext })] : []),
      ...(more > 0 ? [fill(say.moreLines, { count: more })] : []),
      ...(isWhole ? [] : [fill(say.searchEnded, { seconds: maxSearchMs / 1_000 })]),
    ];
    return { ok: true, text: [...writtenLines(found), ...notes].join('\n') };
  }

  async changes(_given: object, { executionId, language, steps }: ToolContext): Promise<ToolResult> {
    const say = toolWords[language];
    const own = await this.#files.repository.latest(executionId);
    const began = await this.#files.base.has(
      executionId,
      own.map(({ path }) => path),
    );
    const moved = new Set(own.flatMap(({ removed, movedFrom, path }) => (!removed && movedFrom && movedFrom !== path ? [movedFrom] : [])));
    const there = new Set(own.flatMap(({ removed, path }) => (removed ? [] : [path])));
    const sources = own.flatMap(({ executable, path, movedFrom }) => (executable === null ? [] : [movedFrom ?? path]));
    const wasExecutable = new Set(await this.#files.base.executables(executionId, sources));
    const lines = own.flatMap(({ path, removed, movedFrom, executable, stepId }) => {
      if (removed && (!began.has(path) || moved.has(path))) return [];
      const isMoved = !removed && movedFrom && movedFrom !== path && !there.has(movedFrom);
      const kind = removed ? 'fileDeleted' : isMoved ? 'fileRenamed' : began.has(path) ? 'fileChanged' : 'fileAdded';
      const by = steps.find((step) => step.stepId === stepId)?.agentTitle ?? '?';
      const isSameMode = executable === null || executable === wasExecutable.has(movedFrom ?? path);
      const mode = isSameMode || removed ? '' : ` ${executable ? '755' : '644'}`;
      return [`${say[kind]}: ${isMoved ? `${movedFrom} → ` : ''}${path}${mode} (${by})`];
    });
    if (lines.length === 0) return { ok: true, text: say.noChanges };
    const left = lines.length - maxListed;
    return { ok: true, text: [...lines.slice(0, maxListed), ...(left > 0 ? [fill(say.moreLines, { count: left })] : [])].join('\n') };
  }

  async #matching(below: Listed[], folder: string, pattern: string, signal: AbortSignal): Promise<Listed[] | null> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = below.map(({ path }) => path.slice(prefix.length));
    const matched = await this.#thread.matchPaths(belowRoot(pattern), names, signal);
    if (matched === null) return null;
    const known = new Set(matched.map((name) => prefix + name));
    return below.filter(({ path }) => known.has(path));
  }
}

/** A file of a run, or what the base tree has by name only. */
type Listed = RunFile | { path: string; kind: string };

function shownNames(known: ReadonlyMap<string, RunFile>, names: ReadonlyMap<string, string>): Listed[] {
  return [...names].flatMap(([path, kind]) => (known.has(path) ? [] : [{ path, kind }]));
}

function byPath({ path: a }: Listed, { path: b }: Listed): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function folderOf(path: string): string {
  const folder = withoutTrailingSlashes(belowRoot(path));
  return folder === '.' ? '' : folder;
}

function isBelow(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

async function* below<File extends { path: string }>(folder: string, files: AsyncIterable<File>): AsyncGenerator<File> {
  for await (const file of files) if (isBelow(folder, file.path)) yield file;
}
