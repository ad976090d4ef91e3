import { innermostRound } from '../../../model/card-view.ts';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useRead } from '../../server-data/use-read.ts';
import type { RerunStep } from './rerun-step.ts';

type FromStepProps = { executionId: string; step: RerunStep | null; onChange: (step: RerunStep | null) => void };

/** The step from which a run of the history runs again. Without one, only what has changed does. */
export function FromStep({ executionId, step, onChange }: FromStepProps) {
  const { t } = useTranslation('rerun');
  // A run compared with itself: its steps without their long texts.
  const { value } = useRead('execution.compare', { query: { left: executionId, right: executionId } });
  const steps = (value?.steps ?? []).flatMap(({ name, round, item, left }): RerunStep[] =>
    left && left.status !== 'skipped' && left.status !== 'pending'
      ? [{ stepId: left.stepId, name, agentId: '', round, item, result: '' }]
      : [],
  );
  const nameOf = ({ name, round, item }: RerunStep) =>
    [name, ...(round > 0 ? [t('run', { round: innermostRound(round) + 1 })] : []), ...(item > 0 ? [t('item', { item })] : [])].join(' · ');
  return (
    <Select
      label={t('beginWith')}
      value={step?.stepId ?? ''}
      options={[{ value: '', label: t('whatChanged') }, ...steps.map((one) => ({ value: one.stepId, label: nameOf(one) }))]}
      onChange={(stepId) => onChange(steps.find((one) => one.stepId === stepId) ?? null)}
    />
  );
}
