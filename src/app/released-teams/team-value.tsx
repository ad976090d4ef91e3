import type { InputField } from '../../../contract/released-team.ts';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

type TeamValueProps = {
  field: InputField;
  value: string;
  error: string | undefined;
  maxLength?: number | undefined;
  onChange: (value: string) => void;
};

/** The value of a field of a released team, as text. */
export function TeamValue({ field, value, error, maxLength, onChange }: TeamValueProps) {
  const { t } = useTranslation('words');
  const frame = { label: `${field.title || field.name}${field.isOptional ? ` ${t('words:optional')}` : ''}`, value, error };
  if (field.kind === 'choice')
    return (
      <Select
        {...frame}
        options={[
          ...(field.isOptional || value === '' ? [{ value: '', label: t('words:notChosen') }] : []),
          ...field.choices.map((one) => ({ value: one, label: one })),
        ]}
        onChange={onChange}
      />
    );
  if (field.kind === 'number') return <TextField {...frame} inputMode="decimal" onChange={({ target }) => onChange(target.value)} />;
  return <TextArea {...frame} rows={2} maxLength={maxLength} grows onChange={({ target }) => onChange(target.value)} />;
}
