import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useImmer } from 'use-immer';
import { fieldAuthors, maxInputFields, maxTeamRunsAtOnce, type ReleasedTeam, teamRelease } from '../../../contract/released-team.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../ui/controls/buttons/icon-button.tsx';
import { Checkbox } from '../../ui/controls/fields/checkbox.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { focusFirstWrong } from '../../ui/focus-first-wrong.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Plus, Trash2 } from '../../ui/icons/icons.ts';
import { LimitDetails } from '../workspace/budgets/limit-details.tsx';
import { useBudgetDraft } from '../workspace/budgets/use-budget-draft.ts';
import styles from './released-teams.module.css';
import { type DraftField, draftOf, newDraft, slugOf, type TeamDraft, teamOf } from './team-draft.ts';
import type { NewTeam } from './use-teams.ts';

type Wrong = ReadonlySet<string>;

type TeamFormProps = {
  /** The team that is changed; null for a new one. */
  team: ReleasedTeam | null;
  /** The title of a new one. */
  firstTitle?: string;
  isBusy: boolean;
  submit: string;
  onSubmit: (team: NewTeam) => void;
  onCancel: () => void;
};

/** Name, task, fields and limits of a team. K4.14 */
export function TeamForm({ team, firstTitle = '', isBusy, submit, onSubmit, onCancel }: TeamFormProps) {
  const { t } = useTranslation('released-teams');
  const [draft, update] = useImmer<TeamDraft>(() => (team ? draftOf(team) : newDraft({ title: firstTitle, taskLabel: t('form.task') })));
  const [wrong, setWrong] = useState<Wrong>(new Set());
  const limits = useBudgetDraft(team?.budget);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = teamOf(draft);
    // The pipeline is made when the form is sent.
    const parsed = teamRelease.omit({ pipelineId: true, canvasVersion: true }).safeParse(given);
    const own = limits.read();
    flushSync(() => setWrong(new Set(parsed.success ? [] : parsed.error.issues.map(({ path }) => path.slice(0, 3).join('.')))));
    if (parsed.success && own !== null) onSubmit({ ...parsed.data, budget: own.budget ?? null });
    else focusFirstWrong(event.currentTarget);
  };
  const text = (name: 'slug' | 'title' | 'task' | 'atOnce') => ({
    label: t(`form.${name}`),
    value: draft[name],
    error: wrong.has(name) ? t(`form.wrong.${name}`) : undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      update((next) => {
        // The name of the address follows the title until it is typed. That of a released team stays: programs call it.
        if (name === 'title' && team === null && next.slug === slugOf(next.title)) next.slug = slugOf(target.value);
        next[name] = target.value;
      }),
  });
  return (
    <form className={styles.form} onSubmit={send} noValidate aria-label={submit}>
      <TextField {...text('title')} maxLength={200} autoFocus />
      <TextField {...text('slug')} hint={t('form.slugHint')} maxLength={60} spellCheck={false} autoCapitalize="none" />
      <TextArea {...text('task')} hint={t('form.taskHint')} maxLength={20_000} rows={3} grows />
      <Fields fields={draft.fields} wrong={wrong} change={(work) => update((next) => void work(next.fields))} />
      <Select
        label={t('form.filledBy')}
        value={draft.filledBy}
        options={fieldAuthors.map((value) => ({ value, label: t(`form.author.${value}`) }))}
        onChange={(filledBy) =>
          update((next) => {
            next.filledBy = filledBy;
          })
        }
      />
      <TextField {...text('atOnce')} type="number" min={1} max={maxTeamRunsAtOnce} inputMode="numeric" />
      <LimitDetails title={t('form.limits')} hint={t('form.limitsHint')} {...limits.fields} />
      <div className={styles.foot}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {submit}
        </Button>
        <Button onClick={onCancel}>{t('common:cancel')}</Button>
      </div>
    </form>
  );
}

type FieldsProps = { fields: readonly DraftField[]; wrong: Wrong; change: (work: (fields: DraftField[]) => void) => void };

function Fields({ fields, wrong, change }: FieldsProps) {
  const { t } = useTranslation('released-teams');
  const add = () =>
    change((next) => {
      next.push({ key: Math.max(0, ...next.map(({ key }) => key)) + 1, kind: 'text', name: '', title: '', isOptional: false, choices: '' });
    });
  return (
    <fieldset className={styles.fields}>
      <legend>{t('form.fields')}</legend>
      {fields.map((field, at) => (
        <FieldRow key={field.key} {...{ field, at, wrong, change }} />
      ))}
      {fields.length < maxInputFields ? (
        <div>
          <Button size="s" icon={<Plus size={15} aria-hidden />} onClick={add}>
            {t('form.addField')}
          </Button>
        </div>
      ) : (
        <p className={styles.note}>{t('form.fieldsFull', { count: maxInputFields })}</p>
      )}
    </fieldset>
  );
}

function FieldRow({ field, at, wrong, change }: { field: DraftField; at: number } & Pick<FieldsProps, 'wrong' | 'change'>) {
  const { t } = useTranslation('released-teams');
  const set = (value: Partial<DraftField>) => change((next) => void Object.assign(next[at] as DraftField, value));
  const kinds = (['text', 'choice', 'number', 'file'] as const).map((value) => ({ value, label: t(`kind.${value}`) }));
  return (
    <fieldset className={styles.field} aria-label={t('form.field', { number: at + 1 })}>
      <TextField
        label={t('words:givenName')}
        value={field.name}
        maxLength={40}
        spellCheck={false}
        autoCapitalize="none"
        error={wrong.has(`input.${at}.name`) ? t('form.nameWrong') : undefined}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Select label={t('words:kind')} value={field.kind} options={kinds} onChange={(kind) => set({ kind })} />
      <TextField label={t('words:label')} value={field.title} maxLength={100} onChange={({ target }) => set({ title: target.value })} />
      {field.kind === 'choice' && (
        <TextArea
          label={t('form.choices')}
          value={field.choices}
          rows={2}
          grows
          error={wrong.has(`input.${at}.choices`) ? t('form.choicesWrong') : undefined}
          onChange={({ target }) => set({ choices: target.value })}
        />
      )}
      <div className={styles.fieldFoot}>
        <label htmlFor={`optional-${field.key}`}>
          <Checkbox
            id={`optional-${field.key}`}
            checked={field.isOptional}
            onChange={({ target }) => set({ isOptional: target.checked })}
          />
          {t('form.optional')}
        </label>
        <IconButton
          label={t('form.removeField', { number: at + 1 })}
          icon={<Trash2 size={16} />}
          onClick={() => change((next) => void next.splice(at, 1))}
        />
      </div>
    </fieldset>
  );
}
