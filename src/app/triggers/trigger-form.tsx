import { useId, useState } from 'react';
import { overlaps, type Trigger, type TriggerCreation, type TriggerKind } from '../../../contract/trigger.ts';
import { focusFirstWrong } from '../../ui/focus-first-wrong.ts';
import { Form } from '../../ui/form/form.tsx';
import { FormSelect, FormText } from '../../ui/form/form-fields.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LimitDetails } from '../workspace/budgets/limit-details.tsx';
import { useBudgetDraft } from '../workspace/budgets/use-budget-draft.ts';
import { draftOfKind } from './draft-kinds.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import { draftOf, newDraft, triggerFields } from './trigger-draft.ts';
import { viewOfKind } from './trigger-kinds.tsx';
import styles from './triggers.module.css';
import type { Triggers } from './use-triggers.ts';

type TriggerFormProps = {
  triggers: Triggers;
  kind: TriggerKind;
  /** The trigger that is changed; null for a new one. */
  trigger: Trigger | null;
  onSubmit: (trigger: TriggerCreation) => void;
  onCancel: () => void;
};

/** What a new trigger may use on a day, unless its owner says something else. */
const usualBudget = { tokens: 500_000, atLimit: 'stop' as const, warnAt: 80 };

/** What starts runs, of which team, and within which limits. L4.02 */
export function TriggerForm({ triggers, kind, trigger, onSubmit, onCancel }: TriggerFormProps) {
  const { t } = useTranslation('triggers');
  const id = useId();
  const { teams, isBusy } = triggers;
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const form = useZodForm(
    triggerFields(teams),
    trigger ? draftOf(trigger, zone) : newDraft(kind, { name: t(`kind.${kind}.name`), teamId: teams[0]?.id ?? '', zone }),
  );
  const budget = useBudgetDraft(trigger?.budget ?? usualBudget);
  const teamId = form.watch('teamId');
  const team = teams.find((one) => one.id === teamId);
  const readBudget = () => {
    const own = budget.read();
    if (own !== null && !own.budget) form.setError('root.budget', { type: 'required' });
    return own;
  };
  const send = (given: Omit<TriggerCreation, 'budget'>) => {
    const own = readBudget();
    if (own === null) focusFirstWrong(document.getElementById(id));
    else if (own.budget) onSubmit({ ...given, budget: { ...own.budget, span: 'day' } });
  };
  const { Fields } = viewOfKind({ kind });
  return (
    <Form
      {...{ form, id, isBusy, onCancel }}
      onSubmit={send}
      onWrong={readBudget}
      submit={t(trigger ? 'words:save' : 'form.create')}
      aria-label={t(trigger ? 'form.edit' : `kind.${kind}.title`)}
    >
      <div className={styles.pair}>
        <FormText {...{ form, name: 'name', maxLength: 100, autoFocus: true }} label={t('words:name')} error={t('form.nameMissing')} />
        <FormSelect
          {...{ form, name: 'teamId' }}
          label={t('releasedTeam')}
          error={t('form.teamMissing')}
          options={[
            ...(team ? [] : [{ value: teamId, label: t('form.noTeam') }]),
            ...teams.map((one) => ({ value: one.id, label: one.title })),
          ]}
        />
      </div>
      {team?.input.some((field) => field.kind === 'file' && !field.isOptional) && <p className={styles.warning}>{t('form.needsFile')}</p>}
      <Fields {...{ form, triggers, team }} isNew={trigger === null} />
      <LimitDetails title={t('form.budget')} hint={t('form.budgetHint')} endsAtLimit {...budget.fields} />
      {form.formState.errors.root?.budget && (
        <p role="alert" className={styles.problem}>
          {t('form.budgetMissing')}
        </p>
      )}
      {draftOfKind({ kind }).overlap !== null && <MoreFields form={form} />}
    </Form>
  );
}

/** What happens while a run is under way. */
function MoreFields({ form }: DraftPartProps) {
  const { t } = useTranslation('triggers');
  const { More } = viewOfKind(form.getValues());
  const [isOpen, setOpen] = useState(false);
  const { invalid } = form.getFieldState('graceMinutes', form.formState);
  return (
    <details className={styles.more} open={isOpen || invalid} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('words:more')}</summary>
      <div className={styles.pair}>
        <FormSelect
          {...{ form, name: 'overlap' }}
          label={t('more.overlap')}
          options={overlaps.map((value) => ({ value, label: t(`more.overlaps.${value}`) }))}
        />
        {More && <More form={form} />}
      </div>
    </details>
  );
}
