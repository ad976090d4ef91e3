import type { StepMark } from '../../../../contract/executions/step-mark.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';

/** Roles of agents that write code. */
const builders = new Set(['developer', 'frontend', 'backend']);

type Answered = {
  row: Pick<ExecutionRow, 'hasFiles' | 'inputSetId' | 'initialTask'>;
  step: Pick<StepRow, 'role' | 'toolUse'>;
  answer: Pick<StepAnswer, 'marks' | 'lastWrite'>;
  /** Files of the answer, those that were refused, and whether one of these ended in its middle. */
  files: { admitted: number; refused: number; isCut: boolean };
  /** The answer must choose a link, or be a list that others work through. */
  isChoiceOrList: boolean;
};

/** Returns the marks of a step with its answer; null for none. */
export function marksOf(answered: Answered): StepMark[] | null {
  const cut: StepMark[] = answered.files.isCut ? ['cut'] : [];
  const lacks: StepMark[] = lacksFile(answered) ? ['noFile'] : [];
  const marks = [...new Set([...(answered.answer.marks ?? []), ...cut, ...lacks])];
  return marks.length > 0 ? marks : null;
}

/**
 * Whether a step was to change files and has changed none. It was, if it tried: its last call to write a file failed, or all files of its answer were
 * refused. It was also, if its agent builds (a developer) and the run has files to change, unless it only had to choose, to list or to answer a question.
 */
function lacksFile({ row, step, answer, files, isChoiceOrList }: Answered): boolean {
  if (files.admitted > 0) return false;
  if (answer.lastWrite) return answer.lastWrite === 'failed';
  if ((step.toolUse?.written ?? 0) > 0) return false;
  if (files.refused > 0) return true;
  const hasFiles = row.hasFiles || row.inputSetId !== null;
  return hasFiles && builders.has(step.role.toLowerCase()) && !isChoiceOrList && !row.initialTask.trimEnd().endsWith('?');
}
