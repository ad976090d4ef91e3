import type { InputField, ReleasedTeam } from '../../../contract/released-team.ts';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import { filledFields } from './trigger-draft.ts';
import styles from './triggers.module.css';

/** The values of the team's fields, the same in each run. */
export function TeamValues({ draft, wrong, set, team }: DraftPartProps & { team: ReleasedTeam | undefined }) {
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
  const label = `${field.title || field.name}${field.isOptional ? ` ${t('words:optional')}` : ''}`;
  if (field.kind === 'choice')
    return (
      <Select
        label={label}
        value={value}
        error={error}
        options={[
          ...(field.isOptional || value === '' ? [{ value: '', label: t('words:notChosen') }] : []),
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
