import { createHash } from 'node:crypto';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { type FileBlock, FileRepository, fileBlocksOf, type NewestFile, shownPath } from '../../files/index.ts';
import { isUnseen } from '../../tools/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { Transition } from '../transitions/transition.ts';

/** The beginning of the name of an error that a person may confirm. */
const confirmed = 'overwrites.';

type Given = { step: StepRow; files: readonly FileBlock[]; overwrites: readonly string[]; language: Language };

/**
 * Refuses the files of a person's answer that would replace what another step has written since the step began: nothing is overwritten unseen. The sentence
 * names each file and its step, and the names of the errors those versions. The same answer with these in `overwrites` goes through. A version that
 * is newer still is refused again. C1.06
 */
export async function demandSeen(it: Transition, { step, files, overwrites, language }: Given): Promise<void> {
  if (files.length === 0) return;
  const steps = await it.steps();
  const repository = new FileRepository(it.tx());
  const seen = { stepId: step.stepId, startedAt: step.startedAt, steps, reads: step.readFiles ?? [] };
  const unseen: { path: string; by: string; version: string }[] = [];
  for (const { path, content } of files) {
    const newest = await repository.newest(it.row.id, path);
    const isSame = newest !== null && !newest.removed && newest.content === content;
    if (newest === null || isSame || !isUnseen(path, newest, seen)) continue;
    const version = versionOf(path, newest);
    if (overwrites.includes(version)) continue;
    unseen.push({ path, by: steps.find(({ stepId }) => stepId === newest.stepId)?.name ?? '?', version });
  }
  if (unseen.length === 0) return;
  const named = ({ path, by }: { path: string; by: string }) => translate(language, 'answer.file_changed', { path: shownPath(path), by });
  throw new ApiError('bad_request', {
    sentence: translate(language, 'answer.files_changed', { files: unseen.map(named).join(', ') }),
    errors: unseen.map((one) => ({ path: `${confirmed}${one.version}`, message: named(one) })),
  });
}

/** Returns the files of an edited answer that are not in the step's own: the others are stored, and older than what other steps wrote since. */
export function changedByPerson(files: readonly FileBlock[], text: string, before: string | null): FileBlock[] {
  const contentsOf = (answer: string) => new Map(fileBlocksOf(answer).files.map(({ path, content }) => [path, content]));
  const [now, then] = [contentsOf(text), contentsOf(before ?? '')];
  return files.filter(({ path }) => !then.has(path) || now.get(path) !== then.get(path));
}

function versionOf(path: string, { stepId, content }: NewestFile): string {
  return createHash('sha256')
    .update(`${stepId}\0${path}\0${content ?? ''}`)
    .digest('hex');
}
