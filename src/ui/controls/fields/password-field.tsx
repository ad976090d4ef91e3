import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Eye, EyeOff } from '../../icons/icons.ts';
import { IconButton } from '../buttons/icon-button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** A masked input with a button that shows its value. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trail'>) {
  const { t } = useTranslation('common');
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      trail={
        <IconButton
          label={shown ? t('password.hide') : t('password.show')}
          icon={shown ? <EyeOff size={17} /> : <Eye size={17} />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
