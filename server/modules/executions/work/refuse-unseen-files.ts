import { type FileBlocks, FileRepository } from '../../files/index.ts';
import { isUnseen } from '../../tools/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';
import type { Transition } from '../transitions/transition.ts';

/**
 * Refuses those files of an answer that a step beside it has changed, and that the step has not seen: nothing is overwritten unseen. The text stays in
 * the answer. The newest versions are read under the lock of the run; a step that ran alone reads nothing. C1.06
 */
export async function refuseUnseenFiles(it: Transition, step: StepRow, answer: StepAnswer, blocks: FileBlocks): Promise<FileBlocks> {
  const { stepId, startedAt } = step;
  const steps = await it.steps();
  const isBeside = (other: StepRow) =>
    other.stepId !== stepId && other.startedAt !== null && (!other.completedAt || !startedAt || other.completedAt > startedAt);
  if (blocks.files.length === 0 || !steps.some(isBeside)) return blocks;
  const repository = new FileRepository(it.tx());
  const seen = { stepId, startedAt, steps, reads: answer.readFiles ?? step.readFiles ?? [] };
  const refused = new Set<string>();
  for (const { path, content } of blocks.files) {
    const newest = await repository.newest(it.row.id, path);
    const isSame = newest !== null && !newest.removed && newest.content === content;
    if (newest && !isSame && isUnseen(path, newest, seen)) refused.add(path);
  }
  return {
    files: blocks.files.filter(({ path }) => !refused.has(path)),
    refused: [...blocks.refused, ...[...refused].map((path) => ({ path, reason: 'changed_meanwhile' as const }))],
  };
}
