import type { RefusalReason } from '../../../../contract/executions/file.ts';
import { type ServerText, translate } from '../../../http/language.ts';
import { admitFiles, type FileBlock, type FileChange, keepMixedLineEnds, type NewestFile, safePath, shownPath } from '../../files/index.ts';
import type { ToolContext, ToolResult } from '../run-tool.ts';
import { failed, fill, toolWords } from '../schema-tool.ts';
import { absentText } from './absent-text.ts';
import { editText } from './edit-text.ts';
import { belowRoot, namedIn, namedOnly, type RunFile, type RunFiles } from './run-files.ts';
import { refuseUnseen } from './unseen-version.ts';

/** The longest text that is written as a whole, and that an edit looks for or puts in its place (characters). */
const maxWritten = 256 * 1024;
const maxOld = 100_000;
/** The longest result of an edit (characters): the bytes of all versions of a run end before. */
const maxEdited = 8 * 1024 * 1024;

type Failed = Extract<ToolResult, { ok: false }>;

/** The files of a run that a call names: `stamp` names the state of all. */
type View = { stamp: string; all: Map<string, RunFile> };

/** What the tools do that change files. Each stores its changes with the end of its call. */
export class FileChanges {
  readonly #files: RunFiles;

  constructor(files: RunFiles) {
    this.#files = files;
  }

  async write(
    given: { path: string; content?: string | undefined; executable?: boolean | undefined },
    context: ToolContext,
  ): Promise<ToolResult> {
    const { executionId, language } = context;
    const { content: text } = given;
    if (text === undefined) return this.#setExecutable(given.path, given.executable === true, context);
    const { stamp, all } = await this.#view(executionId, given.path);
    const path = pathIn(all, given.path);
    if (typeof path !== 'string') return refusedFor(given.path, path.reason, language);
    const nameOnly = all.has(path) ? null : namedOnly(await this.#files.namesOnly(executionId, language, [path]), path, language);
    if (nameOnly !== null) return failed(nameOnly);
    if (text.includes('\0')) return refusedFor(path, 'binary', language);
    if (Buffer.byteLength(text) > maxWritten) return refusedFor(path, 'too_large', language);
    const before = await this.#newest(executionId, path);
    const unseen = await refuseUnseen(this.#files, path, before, context);
    if (unseen) return unseen;
    if (all.has(path) && before?.content === null && !before.removed) return refusedFor(path, 'not_replaceable', language);
    const known = all.has(path) ? await this.#files.textOf(executionId, path) : null;
    const content = keepMixedLineEnds(known?.text ?? null, text.toWellFormed());
    const change = textChange(path, content, before, given.executable);
    const refused = await this.#refusalOf([change], context);
    if (refused) return refused;
    return { ok: true, text: fill(toolWords[language].written, { path, bytes: change.size }), writes: [change], stamp };
  }

  async edit(
    given: { path: string; old: string; new: string; replaceAll?: boolean | undefined },
    context: ToolContext,
  ): Promise<ToolResult> {
    const { executionId, language } = context;
    const say = toolWords[language];
    if (given.old === '') return failed(say.editEmpty);
    if (given.old.length > maxOld || given.new.length > maxWritten)
      return failed(
        fill(say.editTooLong, { limit: given.old.length > maxOld ? maxOld : maxWritten, name: given.old.length > maxOld ? 'old' : 'new' }),
      );
    const { stamp, all } = await this.#view(executionId, given.path);
    const path = namedIn(all, given.path);
    const there = await this.#editable(path, all, context);
    if ('ok' in there) return there;
    const { text, before } = there;
    const outcome = editText(text, { old: given.old, now: given.new.toWellFormed(), replaceAll: given.replaceAll === true }, maxEdited);
    switch (outcome.kind) {
      case 'absent': {
        const unseen = await refuseUnseen(this.#files, path, before, context);
        if (unseen) return unseen;
        return failed(absentText(text, given.old, path, say));
      }
      case 'same':
        return failed(say.editSame);
      case 'ambiguous':
        return failed(fill(say.editAmbiguous, { path, count: outcome.count, lines: namedLines(outcome.lines, outcome.count) }));
      case 'tooLarge':
        return refusedFor(path, 'too_large', language);
      case 'edited': {
        const change = textChange(path, outcome.text, before, undefined);
        const refused = await this.#refusalOf([change], context);
        if (refused) return refused;
        const lines = namedLines(outcome.lines, outcome.count);
        return { ok: true, text: fill(say.edited, { path, lines }), writes: [change], stamp };
      }
      default:
        return outcome satisfies never;
    }
  }

  async remove(given: { path: string }, context: ToolContext): Promise<ToolResult> {
    const { executionId, language } = context;
    const { stamp, all } = await this.#view(executionId, given.path);
    const path = namedIn(all, given.path);
    if (!all.has(path)) return this.#absent(path, context);
    const before = await this.#newest(executionId, path);
    const unseen = await refuseUnseen(this.#files, path, before, context);
    if (unseen) return unseen;
    return { ok: true, text: fill(toolWords[language].deleted, { path }), writes: [{ path, removed: true }], stamp };
  }

  async move(given: { from: string; to: string }, context: ToolContext): Promise<ToolResult> {
    const { executionId, language } = context;
    const say = toolWords[language];
    const { stamp, all } = await this.#view(executionId, given.from, given.to);
    const from = namedIn(all, given.from);
    const file = all.get(from);
    if (!file) return this.#absent(from, context);
    const safe = safePath(belowRoot(given.to));
    if (!safe.ok) return refusedFor(given.to, safe.reason, language);
    const to = safe.path;
    if (to === from || all.has(namedIn(all, to))) return failed(fill(say.moveOnto, { path: to }));
    const before = await this.#newest(executionId, from);
    const target = await this.#newest(executionId, to);
    const unseen = (await refuseUnseen(this.#files, from, before, context)) ?? (await refuseUnseen(this.#files, to, target, context));
    if (unseen) return unseen;
    const moved = await this.#movedTo(to, file, before, context);
    const changes: FileChange[] = [{ path: from, removed: true }, moved];
    const refused = await this.#refusalOf(changes, context);
    if (refused) return refused;
    return { ok: true, text: fill(say.moved, { from, to }), writes: changes, stamp };
  }

  async #view(executionId: string, ...given: readonly string[]): Promise<View> {
    // The stamp is read first: a version that is stored in between makes the call begin again.
    const stamp = await this.#files.repository.stamp(executionId);
    const safe = given.map((path) => safePath(belowRoot(path)));
    return { stamp, all: await this.#files.named(executionId, [...given, ...safe.flatMap((one) => (one.ok ? [one.path] : []))]) };
  }

  #newest(executionId: string, path: string): Promise<NewestFile | null> {
    return this.#files.repository.newest(executionId, path);
  }

  /** Returns why changes do not fit beside the other files of the run; null where they do. */
  async #refusalOf(changes: readonly FileChange[], { executionId, stepId, language }: ToolContext): Promise<Failed | null> {
    const texts = changes.flatMap((change) => ('removed' in change || change.content === null ? [] : [change]));
    const [held, base] = await Promise.all([
      this.#files.repository.held(executionId),
      this.#files.base.paths(
        executionId,
        texts,
        changes.map(({ path }) => path),
      ),
    ]);
    const removed = new Set(changes.flatMap((change) => ('removed' in change ? [change.path] : [])));
    const changed = new Set(changes.map(({ path }) => path));
    const now = held.map((file) => ({
      ...file,
      size: file.stepId === stepId && changed.has(file.path) ? 0 : file.size,
      isRemoved: file.isRemoved === true || removed.has(file.path),
    }));
    for (const path of removed) now.push({ path, size: 0, isRemoved: true });
    const moved = changes.flatMap((change) => ('removed' in change || change.content !== null ? [] : [change.path]));
    const free = base.map((file) => (moved.includes(file.path) ? { ...file, isReplaceable: true } : file));
    const blocks = changes.flatMap((change): FileBlock[] =>
      'removed' in change ? [] : [{ ...change, language: null, content: '', size: change.content === null ? 0 : change.size }],
    );
    const { refused } = admitFiles({ files: blocks, refused: [] }, now, free);
    return refused[0] ? refusedFor(refused[0].path, refused[0].reason, language) : null;
  }

  async #absent(path: string, { executionId, language }: ToolContext): Promise<Failed> {
    const say = toolWords[language];
    const nameOnly = namedOnly(await this.#files.namesOnly(executionId, language, [path]), path, language);
    if (nameOnly !== null) return failed(nameOnly);
    return failed(fill((await this.#files.isFolder(executionId, path)) ? say.isFolder : say.noSuchFile, { path: shownPath(path) }));
  }

  /** Returns the newest text of a file that can be edited, or why it cannot. */
  async #editable(path: string, all: View['all'], context: ToolContext): Promise<{ text: string; before: NewestFile | null } | Failed> {
    const { executionId, language } = context;
    if (!all.has(path)) return this.#absent(path, context);
    const before = await this.#newest(executionId, path);
    if (before) return before.content === null ? refusedFor(path, 'not_replaceable', language) : { text: before.content, before };
    const base = (await this.#files.base.paths(executionId, [], [path])).find((one) => one.path === path);
    const found = base?.isReplaceable ? await this.#files.base.text(executionId, path) : null;
    return found ? { text: found.text, before } : refusedFor(path, 'not_replaceable', language);
  }

  async #movedTo(to: string, file: RunFile, before: NewestFile | null, { executionId }: ToolContext): Promise<FileChange> {
    const from = before?.movedFrom ?? (file.isInBase ? file.path : null);
    const origin = from === null || from === to ? undefined : from;
    const mode = before?.executable ?? undefined;
    if (before && before.content !== null)
      return {
        ...textChange(to, before.content, null, mode),
        language: before.language,
        ...(origin !== undefined && { movedFrom: origin }),
      };
    const base = (await this.#files.base.paths(executionId, [], [file.path])).find(({ path }) => path === file.path);
    const found = !before && base?.isReplaceable ? await this.#files.base.text(executionId, file.path) : null;
    if (found) return { ...textChange(to, found.text, null, mode), ...(origin !== undefined && { movedFrom: origin }) };
    return { path: to, size: file.bytes, movedFrom: from ?? file.path, content: null, ...(mode !== undefined && { executable: mode }) };
  }

  async #setExecutable(given: string, executable: boolean, context: ToolContext): Promise<ToolResult> {
    const { executionId, language } = context;
    const { stamp, all } = await this.#view(executionId, given);
    const path = namedIn(all, given);
    const file = all.get(path);
    if (!file) return this.#absent(path, context);
    const before = await this.#newest(executionId, path);
    const unseen = await refuseUnseen(this.#files, path, before, context);
    if (unseen) return unseen;
    const there = await this.#editable(path, all, context);
    const from = before?.movedFrom ?? path;
    const change: FileChange =
      'ok' in there
        ? { path, size: file.bytes, movedFrom: from, content: null, executable }
        : textChange(path, there.text, before, executable);
    const refused = await this.#refusalOf([change], context);
    if (refused) return refused;
    const sentence = toolWords[language][executable ? 'madeExecutable' : 'madeOrdinary'];
    return { ok: true, text: fill(sentence, { path }), writes: [change], stamp };
  }
}

/** Returns the path of a file that is there as it is written, or a safe path for a new one. */
function pathIn(all: View['all'], given: string): string | { reason: RefusalReason } {
  const path = namedIn(all, given);
  if (all.has(path)) return path;
  const safe = safePath(given);
  return safe.ok ? safe.path : { reason: safe.reason };
}

/** A new text of a file. It keeps from where the file was moved, and its mode. */
function textChange(path: string, content: string, before: NewestFile | null, executable: boolean | undefined): FileBlock {
  const kept = before?.removed ? null : before;
  const mode = executable ?? kept?.executable ?? undefined;
  const change: FileBlock = { path, language: kept?.language ?? null, content, size: Buffer.byteLength(content) };
  if (kept?.movedFrom) change.movedFrom = kept.movedFrom;
  if (mode !== undefined) change.executable = mode;
  return change;
}

function refusedFor(path: string, reason: RefusalReason, language: ToolContext['language']): Failed {
  return failed(`${shownPath(path)}: ${translate(language, `file.${reason}` as ServerText)}`);
}

function namedLines(lines: readonly number[], count: number): string {
  return `${lines.join(', ')}${count > lines.length ? `, … (${count})` : ''}`;
}
