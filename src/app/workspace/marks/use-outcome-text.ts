import { type LackingMark, lackingMarks, type StepMark } from '../../../../contract/executions/step-mark.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';

/** Writes that a run has ended well, and what its results lack, so that a run with half an answer is not plainly finished. M2.27 */
export function useOutcomeText() {
  const { t } = useTranslation('workspace');
  return {
    /** `end`: the sentence of a run that lacks nothing. */
    ofRun: (end: string, lacks: readonly { mark: LackingMark; count: number }[]) =>
      [end, ...lacks.map(({ mark, count }) => t(`run.lacks.${mark}`, { count }))].join(', '),
    /** The history knows what results lack, not of how many steps. */
    ofItem: (end: string, marks: readonly StepMark[]) =>
      [end, ...lackingMarks.filter((mark) => marks.includes(mark)).map((mark) => t(`history.lacks.${mark}`))].join(', '),
  };
}
