import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { overlaps, type Trigger, type TriggerCreation, type TriggerKind } from '../../../contract/trigger.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LimitDetails } from '../workspace/budgets/limit-details.tsx';
import { useBudgetDraft } from '../workspace/budgets/use-budget-draft.ts';
import { type Draft, draftOfKind } from './draft-kinds.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import { draftOf, newDraft, readDraft } from './trigger-draft.ts';
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
  const { teams, isBusy } = triggers;
  const [draft, setDraft] = useState<Draft>(() => {
    const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
    return trigger ? draftOf(trigger, zone) : newDraft(kind, { name: t(`kind.${kind}.name`), teamId: teams[0]?.id ?? '', zone });
  });
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const budget = useBudgetDraft(trigger?.budget ?? usualBudget);
  const team = teams.find(({ id }) => id === draft.teamId);
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }));
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = readDraft(draft, team);
    const own = budget.read();
    const isLimited = own?.budget !== undefined;
    flushSync(() => setWrong(own !== null && !isLimited ? new Set([...read.wrong, 'budget']) : read.wrong));
    if (read.wrong.size === 0 && isLimited) onSubmit({ ...read.creation, budget: { ...own.budget, span: 'day' } });
    else event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const part: DraftPartProps = { draft, wrong, set };
  const { Fields } = viewOfKind({ kind });
  return (
    <form className={styles.form} onSubmit={send} noValidate aria-label={t(trigger ? 'form.edit' : `kind.${kind}.title`)}>
      <div className={styles.pair}>
        <TextField
          label={t('words:name')}
          value={draft.name}
          maxLength={100}
          autoFocus
          error={wrong.has('name') ? t('form.nameMissing') : undefined}
          onChange={({ target }) => set({ name: target.value })}
        />
        <Select
          label={t('releasedTeam')}
          value={draft.teamId}
          error={wrong.has('teamId') ? t('form.teamMissing') : undefined}
          options={[
            ...(team ? [] : [{ value: draft.teamId, label: t('form.noTeam') }]),
            ...teams.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(teamId) => set({ teamId })}
        />
      </div>
      {team?.input.some((field) => field.kind === 'file' && !field.isOptional) && <p className={styles.warning}>{t('form.needsFile')}</p>}
      <Fields {...part} triggers={triggers} isNew={trigger === null} team={team} />
      <LimitDetails title={t('form.budget')} hint={t('form.budgetHint')} endsAtLimit {...budget.fields} />
      {wrong.has('budget') && (
        <p role="alert" className={styles.problem}>
          {t('form.budgetMissing')}
        </p>
      )}
      {draftOfKind({ kind }).overlap !== null && <MoreFields {...part} />}
      <div className={styles.act}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t(trigger ? 'words:save' : 'form.create')}
        </Button>
        <Button onClick={onCancel}>{t('common:cancel')}</Button>
      </div>
    </form>
  );
}

/** What happens while a run is under way. */
function MoreFields({ draft, wrong, set }: DraftPartProps) {
  const { t } = useTranslation('triggers');
  const { More } = viewOfKind(draft);
  return (
    <details className={styles.more} open={wrong.has('graceSeconds') || undefined}>
      <summary>{t('words:more')}</summary>
      <div className={styles.pair}>
        <Select
          label={t('more.overlap')}
          value={draft.overlap}
          options={overlaps.map((value) => ({ value, label: t(`more.overlaps.${value}`) }))}
          onChange={(overlap) => set({ overlap })}
        />
        {More && <More {...{ draft, wrong, set }} />}
      </div>
    </details>
  );
}
