import { TextField, type TextFieldProps } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

type Props = Omit<TextFieldProps, 'label' | 'error'> & {
  /** Whether the field has a value: then the error is a malformed address, not a missing one. */
  filled: boolean;
  wrong: boolean;
};

/** The field of an account's email address, the same in all forms. */
export function EmailField({ filled, wrong, ...rest }: Props) {
  const { t } = useTranslation('auth');
  return (
    <TextField
      {...rest}
      label={t('email.label')}
      type="email"
      size="xl"
      autoComplete="username"
      placeholder={t('common:emailExample')}
      required
      error={wrong ? t(filled ? 'email.invalid' : 'email.required') : undefined}
    />
  );
}
