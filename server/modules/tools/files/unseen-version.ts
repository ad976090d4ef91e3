import { diffArrays } from 'diff';
import type { ReadFileOfStep } from '../../../../contract/executions/execution.ts';
import type { NewestFile } from '../../files/index.ts';
import type { ToolContext, ToolResult } from '../run-tool.ts';
import { failed, fill, toolWords } from '../schema-tool.ts';
import { hashOf, type RunFiles } from './run-files.ts';

/** The most differing lines that are searched for, and the most parts of a file that are named. */
const maxEdits = 1_000;
const maxParts = 20;

/** A version as the reads of a step name it. A removed file counts as an empty one. */
function versionOf(path: string, { content }: Pick<NewestFile, 'content'>): ReadFileOfStep {
  return { path, sha256: hashOf(content ?? '') };
}

/** What a step has seen: what it has read, and the steps that had ended when it began. */
type Seen = Pick<ToolContext, 'stepId' | 'reads' | 'startedAt' | 'steps'>;

/**
 * Whether another step has made the newest version, and the step of the call has not seen it: it has not read it, and the other step had not ended when this
 * one began.
 */
export function isUnseen(path: string, newest: NewestFile, { stepId, reads, startedAt, steps }: Seen): boolean {
  if (newest.stepId === stepId) return false;
  const { sha256 } = versionOf(path, newest);
  if (reads.some((read) => read.path === path && read.sha256 === sha256)) return false;
  const ended = steps.find((step) => step.stepId === newest.stepId)?.completedAt;
  return !ended || !startedAt || ended > startedAt;
}

/**
 * Refuses to change a file over a version that the step has not seen: says by whom it was changed, and which lines. The refusal counts as a read of that
 * version, so that the next call is carried out. Null where the step has seen the newest version.
 */
export async function refuseUnseen(
  files: RunFiles,
  path: string,
  newest: NewestFile | null,
  context: ToolContext,
): Promise<ToolResult | null> {
  if (!newest || !isUnseen(path, newest, context)) return null;
  const say = toolWords[context.language];
  const by = context.steps.find(({ stepId }) => stepId === newest.stepId)?.agentTitle ?? '?';
  const reads = [versionOf(path, newest)];
  if (newest.content === null)
    return { ...failed(fill(say[newest.removed ? 'unseenRemoved' : 'unseen'], { path, by, lines: '…' })), reads };
  const seen = await seenText(files, path, context);
  const lines = changedLines(seen ?? '', newest.content);
  return { ...failed(fill(say.unseen, { path, by, lines })), reads };
}

/** Returns the text that the step has seen last, as far as it is kept: of a version of the run, or of the base tree. */
async function seenText(files: RunFiles, path: string, { executionId, reads }: ToolContext): Promise<string | null> {
  const known = new Set(reads.filter((read) => read.path === path).map(({ sha256 }) => sha256));
  const texts = await files.repository.texts(executionId, path);
  const read = texts.find((text) => known.has(hashOf(text)));
  return read ?? (await files.base.text(executionId, path))?.text ?? null;
}

/** Returns the lines of the later text that differ, as `3-7, 20`. */
export function changedLines(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(old, now, { maxEditLength: maxEdits });
  if (!parts) return `1-${now.length}`;
  const ranges: string[] = [];
  let line = 1;
  for (const [at, { added, removed, count = 0 }] of parts.entries()) {
    if (removed && !parts[at + 1]?.added) ranges.push(String(Math.max(1, line - 1)));
    if (added) ranges.push(count === 1 ? String(line) : `${line}-${line + count - 1}`);
    if (!removed) line += count;
  }
  return ranges.length > maxParts ? `${ranges.slice(0, maxParts).join(', ')}, …` : ranges.join(', ');
}
