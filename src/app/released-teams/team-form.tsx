import { useId } from 'react';
import { useFieldArray } from 'react-hook-form';
import type { z } from 'zod';
import { fieldAuthors, maxInputFields, maxTeamRunsAtOnce, type ReleasedTeam } from '../../../contract/released-team.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../ui/controls/buttons/icon-button.tsx';
import { Checkbox } from '../../ui/controls/fields/checkbox.tsx';
import { focusFirstWrong } from '../../ui/focus-first-wrong.ts';
import { Form } from '../../ui/form/form.tsx';
import { FormSelect, FormText, FormTextArea } from '../../ui/form/form-fields.tsx';
import { useZodForm, type ZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Plus, Trash2 } from '../../ui/icons/icons.ts';
import styles from '../api-list/api-list.module.css';
import { LimitDetails } from '../workspace/budgets/limit-details.tsx';
import { useBudgetDraft } from '../workspace/budgets/use-budget-draft.ts';
import { draftOf, newDraft, newField, slugOf, type TeamDraft, teamFields } from './team-draft.ts';
import type { NewTeam } from './use-teams.ts';

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
  const id = useId();
  const form = useZodForm(teamFields, team ? draftOf(team) : newDraft({ title: firstTitle, taskLabel: t('form.task') }));
  const title = form.watch('title');
  const limits = useBudgetDraft(team?.budget);
  const send = (given: z.output<typeof teamFields>) => {
    const own = limits.read();
    if (own === null) focusFirstWrong(document.getElementById(id));
    else onSubmit({ ...given, budget: own.budget ?? null });
  };
  const text = (name: 'slug' | 'title' | 'task' | 'atOnce') => ({ form, name, label: t(`form.${name}`), error: t(`form.wrong.${name}`) });
  // The name of the address follows the title until it is typed. That of a released team stays: programs call it.
  const followTitle = (next: string) => {
    if (team === null && form.getValues('slug') === slugOf(title)) form.setValue('slug', slugOf(next));
  };
  return (
    <Form {...{ form, id, submit, isBusy, onCancel, staysInView: true }} onSubmit={send} onWrong={limits.read} aria-label={submit}>
      <FormText {...text('title')} maxLength={200} autoFocus onEdit={followTitle} />
      <FormText {...text('slug')} hint={t('form.slugHint')} maxLength={60} spellCheck={false} autoCapitalize="none" />
      <FormTextArea {...text('task')} hint={t('form.taskHint')} maxLength={20_000} rows={3} grows />
      <Fields form={form} />
      <FormSelect
        {...{ form, name: 'filledBy' }}
        label={t('form.filledBy')}
        options={fieldAuthors.map((value) => ({ value, label: t(`form.author.${value}`) }))}
      />
      <FormText {...text('atOnce')} type="number" min={1} max={maxTeamRunsAtOnce} inputMode="numeric" />
      <LimitDetails title={t('form.limits')} hint={t('form.limitsHint')} {...limits.fields} />
    </Form>
  );
}

type TeamFieldsForm = ZodForm<TeamDraft, z.output<typeof teamFields>>;

function Fields({ form }: { form: TeamFieldsForm }) {
  const { t } = useTranslation('released-teams');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'input' });
  return (
    <fieldset className={styles.fields}>
      <legend>{t('form.fields')}</legend>
      {fields.map(({ id }, at) => (
        <FieldRow key={id} form={form} at={at} onRemove={() => remove(at)} />
      ))}
      {fields.length < maxInputFields ? (
        <div>
          <Button size="s" icon={<Plus size={15} aria-hidden />} onClick={() => append(newField)}>
            {t('form.addField')}
          </Button>
        </div>
      ) : (
        <p className={styles.note}>{t('form.fieldsFull', { count: maxInputFields })}</p>
      )}
    </fieldset>
  );
}

function FieldRow({ form, at, onRemove }: { form: TeamFieldsForm; at: number; onRemove: () => void }) {
  const { t } = useTranslation('released-teams');
  const kinds = (['text', 'choice', 'number', 'file'] as const).map((value) => ({ value, label: t(`kind.${value}`) }));
  return (
    <fieldset className={styles.field} aria-label={t('form.field', { number: at + 1 })}>
      <FormText
        {...{ form, name: `input.${at}.name`, maxLength: 40, spellCheck: false, autoCapitalize: 'none' }}
        label={t('words:givenName')}
        error={t('form.nameWrong')}
      />
      <FormSelect {...{ form, name: `input.${at}.kind` }} label={t('words:kind')} options={kinds} />
      <FormText {...{ form, name: `input.${at}.title`, maxLength: 100 }} label={t('words:label')} />
      {form.watch(`input.${at}.kind`) === 'choice' && (
        <FormTextArea {...{ form, name: `input.${at}.choices`, grows: true }} label={t('form.choices')} error={t('form.choicesWrong')} />
      )}
      <div className={styles.fieldFoot}>
        <label htmlFor={`optional-${at}`}>
          <Checkbox id={`optional-${at}`} {...form.register(`input.${at}.isOptional`)} />
          {t('form.optional')}
        </label>
        <IconButton label={t('form.removeField', { number: at + 1 })} icon={<Trash2 size={16} />} onClick={onRemove} />
      </div>
    </fieldset>
  );
}
