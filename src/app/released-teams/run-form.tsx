import { type FormEvent, useId, useState } from 'react';
import { type InputField, inputSchemaOf, type ReleasedTeam } from '../../../contract/released-team.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Play } from '../../ui/icons/icons.ts';
import styles from '../api-list/api-list.module.css';
import { TeamValue } from './team-value.tsx';

type Values = Record<string, string | File>;
type RunFormProps = { team: ReleasedTeam; isBusy: boolean; onStart: (form: FormData) => Promise<boolean> };

/** The form of a released team: the fields that the API takes, checked by the same schema. K4.14 */
export function RunForm({ team, isBusy, onStart }: RunFormProps) {
  const { t } = useTranslation('released-teams');
  const [values, setValues] = useState<Values>({});
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const [isStarted, setIsStarted] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const given = Object.entries(values).filter(([, value]) => value !== '');
    // The server reads the bytes.
    const shapes = given.map(([name, value]) => [name, value instanceof File ? { name: value.name, content: '' } : value]);
    const checked = inputSchemaOf(team.input).safeParse(Object.fromEntries(shapes));
    setWrong(new Set(checked.success ? [] : checked.error.issues.map(({ path }) => String(path[0]))));
    if (!checked.success) return;
    const form = new FormData();
    for (const [name, value] of given) form.set(name, value);
    setIsStarted(await onStart(form));
  };
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)} noValidate aria-label={t('try.of', { title: team.title })}>
      {team.input.map((field) => {
        const { name, kind } = field;
        const value = values[name];
        const wires = {
          field,
          error: wrong.has(name) ? t(`try.wrong.${kind}`) : undefined,
          onChange: (next: string | File) => setValues({ ...values, [name]: next }),
        };
        return kind === 'file' ? (
          <FileField key={name} {...wires} />
        ) : (
          <TeamValue key={name} {...wires} value={typeof value === 'string' ? value : ''} />
        );
      })}
      <div className={styles.act}>
        <Button type="submit" variant="primary" size="s" busy={isBusy} icon={<Play size={15} aria-hidden />}>
          {t('try.start')}
        </Button>
        <span role="status" className={styles.note}>
          {isStarted && t('try.started')}
        </span>
      </div>
    </form>
  );
}

type FileFieldProps = { field: InputField; error: string | undefined; onChange: (value: string | File) => void };

function FileField({ field: { title, name, isOptional }, error, onChange }: FileFieldProps) {
  const { t } = useTranslation('released-teams');
  const id = useId();
  return (
    <div className={styles.file}>
      <label htmlFor={id}>
        {title || name} {isOptional && t('words:optional')}
      </label>
      <input id={id} type="file" aria-invalid={error !== undefined} onChange={({ target }) => onChange(target.files?.[0] ?? '')} />
      {error && (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </div>
  );
}
