import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import type { InputField, ReleasedTeam } from '../../../contract/released-team.ts';
import { missedRules, overlaps, type Trigger, type TriggerCreation } from '../../../contract/trigger.ts';
import { useObserved } from '../../state/use-observed.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LimitDetails } from '../workspace/budgets/limit-details.tsx';
import { useBudgetDraft } from '../workspace/budgets/use-budget-draft.ts';
import { ForgeFields } from './forge-fields.tsx';
import { PathTable } from './path-table.tsx';
import { type DraftPartProps, ScheduleFields } from './schedule-fields.tsx';
import { type Draft, draftOf, filledFields, type Kind, newDraft, readDraft } from './trigger-draft.ts';
import type { TriggerStore } from './trigger-store.ts';
import styles from './triggers.module.css';
import { WebhookFields } from './webhook-fields.tsx';

type TriggerFormProps = {
  store: TriggerStore;
  kind: Kind;
  /** The trigger that is changed; null for a new one. */
  trigger: Trigger | null;
  onSubmit: (trigger: TriggerCreation) => void;
  onCancel: () => void;
};

/** What a new trigger may use on a day, unless its owner says something else. */
const usualBudget = { tokens: 500_000, atLimit: 'stop' as const, warnAt: 80 };

/** What starts runs, of which team, and within which limits. L4.02 */
export function TriggerForm({ store, kind, trigger, onSubmit, onCancel }: TriggerFormProps) {
  const { t } = useTranslation('triggers');
  const { teams, isBusy } = useObserved(store, store.get);
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
  return (
    <form className={styles.form} onSubmit={send} noValidate aria-label={t(trigger ? 'form.edit' : `kind.${kind}.title`)}>
      <div className={styles.pair}>
        <TextField
          label={t('form.name')}
          value={draft.name}
          maxLength={100}
          autoFocus
          error={wrong.has('name') ? t('form.nameMissing') : undefined}
          onChange={({ target }) => set({ name: target.value })}
        />
        <Select
          label={t('form.team')}
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
      {kind === 'schedule' && <ScheduleFields {...part} store={store} />}
      {kind === 'schedule' && <TeamValues {...part} team={team} />}
      {kind === 'webhook' && <WebhookFields {...part} isNew={trigger === null} />}
      {kind === 'forge' && <ForgeFields {...part} />}
      {kind !== 'schedule' && <PathTable {...part} team={team} />}
      <LimitDetails title={t('form.budget')} hint={t('form.budgetHint')} endsAtLimit {...budget.fields} />
      {wrong.has('budget') && (
        <p role="alert" className={styles.problem}>
          {t('form.budgetMissing')}
        </p>
      )}
      {kind !== 'forge' && <MoreFields {...part} />}
      <div className={styles.act}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t(trigger ? 'form.save' : 'form.create')}
        </Button>
        <Button onClick={onCancel}>{t('form.cancel')}</Button>
      </div>
    </form>
  );
}

/** The values of the team's fields, the same in each run. */
function TeamValues({ draft, wrong, set, team }: DraftPartProps & { team: ReleasedTeam | undefined }) {
  const { t } = useTranslation('triggers');
  const all = filledFields(team);
  if (all.length === 0) return null;
  return (
    <fieldset className={styles.table}>
      <legend>{t('values.title')}</legend>
      <p className={styles.note}>{t('values.hint')}</p>
      {all.map((field) => (
        <TeamValue
          key={field.name}
          field={field}
          value={draft.input[field.name] ?? ''}
          error={wrong.has(`input.${field.name}`) ? t(`values.wrong.${field.kind}`) : undefined}
          onChange={(value) => set({ input: { ...draft.input, [field.name]: value } })}
        />
      ))}
    </fieldset>
  );
}

type TeamValueProps = { field: InputField; value: string; error: string | undefined; onChange: (value: string) => void };

function TeamValue({ field, value, error, onChange }: TeamValueProps) {
  const { t } = useTranslation('triggers');
  const label = `${field.title || field.name}${field.isOptional ? ` ${t('paths.optional')}` : ''}`;
  if (field.kind === 'choice')
    return (
      <Select
        label={label}
        value={value}
        error={error}
        options={[
          ...(field.isOptional || value === '' ? [{ value: '', label: t('values.none') }] : []),
          ...field.choices.map((one) => ({ value: one, label: one })),
        ]}
        onChange={onChange}
      />
    );
  if (field.kind === 'number')
    return <TextField label={label} value={value} inputMode="decimal" error={error} onChange={({ target }) => onChange(target.value)} />;
  return (
    <TextArea
      label={label}
      value={value}
      rows={2}
      maxLength={20_000}
      grows
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** What happens while a run is under way, and with instants that were missed. */
function MoreFields({ draft, wrong, set }: DraftPartProps) {
  const { t } = useTranslation('triggers');
  return (
    <details className={styles.more} open={wrong.has('graceSeconds') || undefined}>
      <summary>{t('more.title')}</summary>
      <div className={styles.pair}>
        <Select
          label={t('more.overlap')}
          value={draft.overlap}
          options={overlaps.map((value) => ({ value, label: t(`more.overlaps.${value}`) }))}
          onChange={(overlap) => set({ overlap })}
        />
        {draft.kind === 'schedule' && (
          <>
            <Select
              label={t('more.missed')}
              value={draft.missed}
              options={missedRules.map((value) => ({ value, label: t(`more.missedRules.${value}`) }))}
              onChange={(missed) => set({ missed })}
            />
            <TextField
              label={t('more.grace')}
              hint={t('more.graceHint')}
              value={draft.graceMinutes}
              inputMode="numeric"
              maxLength={6}
              error={wrong.has('graceSeconds') ? t('more.graceWrong') : undefined}
              onChange={({ target }) => set({ graceMinutes: target.value })}
            />
          </>
        )}
      </div>
    </details>
  );
}
