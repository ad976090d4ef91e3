import { TextField, type TextFieldProps } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

type Props = Omit<TextFieldProps, 'label' | 'error'> & {
  /** Something stands in it, so that a fault is the address itself and not that there is none. */
  filled: boolean;
  wrong: boolean;
};

/** The address of an account, alike in all forms that ask for it. */
export function EmailField({ filled, wrong, ...rest }: Props) {
  const { t } = useTranslation('auth');
  return (
    <TextField
      {...rest}
      label={t('email.label')}
      type="email"
      size="xl"
      autoComplete="username"
      placeholder={t('email.example')}
      required
      error={wrong ? t(filled ? 'email.invalid' : 'email.required') : undefined}
    />
  );
}
