import type { StepRun } from '../../../../contract/executions/execution.ts';
import { editedResultMaxLength, maxEdits } from '../../../../contract/executions/fork.ts';
import { innermostRound } from '../../../model/card-view.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { X } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { type RerunStep, rerunStepOf } from './rerun-step.ts';

/** A result that is edited: `text` takes the place of the step's own. */
export type RerunEdit = { step: RerunStep; text: string };

/** A long list of steps is cut: the menu of a card adds any of them. */
const maxOffered = 200;

type Props = { executionId: string; edits: readonly RerunEdit[]; onChange: (edits: RerunEdit[]) => void };

/** The edited results, each in a field, and the choice of another step. */
export function RerunEdits({ executionId, edits, onChange }: Props) {
  const { t } = useTranslation('rerun');
  const steps = useWorkspace((state) => (state.run.execution?.id === executionId ? state.run.steps : null)) ?? [];
  const edited = new Set(edits.map(({ step }) => step.stepId));
  const offered = steps.filter(({ stepId, result }) => result !== null && !edited.has(stepId)).slice(0, maxOffered);
  const nameOf = ({ name, round = 0, item = 0 }: Pick<StepRun, 'name' | 'round' | 'item'>) =>
    [name, ...(round > 0 ? [t('run', { round: innermostRound(round) + 1 })] : []), ...(item > 0 ? [t('item', { item })] : [])].join(' · ');
  return (
    <>
      {edits.map(({ step, text }) => (
        <TextArea
          key={step.stepId}
          label={edits.length > 1 ? t('resultOf', { name: nameOf(step) }) : t('words:result')}
          value={text}
          grows
          rows={5}
          maxLength={editedResultMaxLength}
          aside={
            edits.length > 1 && (
              <IconButton
                size={24}
                label={t('removeEdit', { name: nameOf(step) })}
                icon={<X size={14} />}
                onClick={() => onChange(edits.filter((other) => other.step !== step))}
              />
            )
          }
          onChange={(event) => onChange(edits.map((other) => (other.step === step ? { step, text: event.target.value } : other)))}
        />
      ))}
      {offered.length > 0 && edits.length < maxEdits && (
        <Select
          label={t('editAnother')}
          value=""
          options={[{ value: '', label: t('chooseStep') }, ...offered.map((step) => ({ value: step.stepId, label: nameOf(step) }))]}
          onChange={(stepId) => {
            const chosen = offered.find((step) => step.stepId === stepId);
            if (chosen) onChange([...edits, { step: rerunStepOf(chosen), text: chosen.result ?? '' }]);
          }}
        />
      )}
    </>
  );
}
