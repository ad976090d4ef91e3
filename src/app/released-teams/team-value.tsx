import type { FieldPath, FieldValues } from 'react-hook-form';
import type { InputField } from '../../../contract/released-team.ts';
import { FormSelect, FormText, FormTextArea } from '../../ui/form/form-fields.tsx';
import type { ZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

type TeamValueProps<Given extends FieldValues, Values extends FieldValues> = {
  form: ZodForm<Given, Values>;
  name: FieldPath<Given>;
  field: InputField;
  error: string;
  maxLength?: number;
};

/** The value of a field of a released team, as text. */
export function TeamValue<Given extends FieldValues, Values extends FieldValues>({
  field,
  maxLength,
  ...wires
}: TeamValueProps<Given, Values>) {
  const { t } = useTranslation('words');
  const frame = { ...wires, label: `${field.title || field.name}${field.isOptional ? ` ${t('words:optional')}` : ''}` };
  if (field.kind === 'choice')
    return (
      <FormSelect
        {...frame}
        options={[
          ...(field.isOptional || !wires.form.watch(wires.name) ? [{ value: '', label: t('words:notChosen') }] : []),
          ...field.choices.map((one) => ({ value: one, label: one })),
        ]}
      />
    );
  if (field.kind === 'number') return <FormText {...frame} inputMode="decimal" />;
  return <FormTextArea {...frame} rows={2} maxLength={maxLength} grows />;
}
