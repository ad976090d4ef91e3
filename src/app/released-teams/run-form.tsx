import { useId, useState } from 'react';
import { useController } from 'react-hook-form';
import { z } from 'zod';
import { type InputField, inputSchemaOf, type ReleasedTeam } from '../../../contract/released-team.ts';
import { Form } from '../../ui/form/form.tsx';
import { errorOf, useZodForm, type ZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Play } from '../../ui/icons/icons.ts';
import styles from '../api-list/api-list.module.css';
import { TeamValue } from './team-value.tsx';

type Values = { input: Record<string, string | File> };
type RunFormProps = { team: ReleasedTeam; isBusy: boolean; onStart: (form: FormData) => Promise<boolean> };

/** The values of a team's fields, checked by the schema of the API, and the call that is made of them. */
const runFields = (fields: readonly InputField[]) =>
  z.custom<Values>().transform(({ input }, { addIssue }) => {
    const given = Object.entries(input).filter(([, value]) => value);
    // The server reads the bytes.
    const shapes = given.map(([name, value]) => [name, value instanceof File ? { name: value.name, content: '' } : value]);
    const { error } = inputSchemaOf(fields).safeParse(Object.fromEntries(shapes));
    for (const { path } of error?.issues ?? []) addIssue({ code: 'custom', path: ['input', ...path.slice(0, 1)] });
    const body = new FormData();
    for (const [name, value] of given) body.set(name, value);
    return body;
  });

/** The form of a released team: the fields that the API takes. K4.14 */
export function RunForm({ team, isBusy, onStart }: RunFormProps) {
  const { t } = useTranslation('released-teams');
  const form = useZodForm(runFields(team.input), { input: Object.fromEntries(team.input.map(({ name }) => [name, ''])) });
  const [isStarted, setIsStarted] = useState(false);
  return (
    <Form
      {...{ form, isBusy, size: 's', icon: <Play size={15} aria-hidden /> }}
      onSubmit={async (body) => setIsStarted(await onStart(body))}
      submit={t('try.start')}
      aria-label={t('try.of', { title: team.title })}
      more={
        <span role="status" className={styles.note}>
          {isStarted && t('try.started')}
        </span>
      }
    >
      {team.input.map((field) => {
        const wires = { form, field, name: `input.${field.name}`, error: t(`try.wrong.${field.kind}`) } as const;
        return field.kind === 'file' ? <FileField key={field.name} {...wires} /> : <TeamValue key={field.name} {...wires} />;
      })}
    </Form>
  );
}

type FileFieldProps = { form: ZodForm<Values, FormData>; field: InputField; name: `input.${string}`; error: string };

function FileField({ form, field, name, error: own }: FileFieldProps) {
  const { t } = useTranslation('released-teams');
  const id = useId();
  const { onChange } = useController({ control: form.control, name }).field;
  const error = errorOf(form, name, own);
  return (
    <div className={styles.file}>
      <label htmlFor={id}>
        {field.title || field.name} {field.isOptional && t('words:optional')}
      </label>
      <input {...{ id, type: 'file' }} aria-invalid={error !== undefined} onChange={({ target }) => onChange(target.files?.[0] ?? '')} />
      {error && (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </div>
  );
}
