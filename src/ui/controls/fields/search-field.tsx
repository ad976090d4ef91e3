import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Search, X } from '../../icons/icons.ts';
import { isComposing, isEnter } from '../../typed-keys.ts';
import { IconButton } from '../buttons/icon-button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

type SearchFieldProps = Pick<TextFieldProps, 'placeholder' | 'size' | 'maxLength'> & {
  ref?: Ref<HTMLInputElement>;
  /** The name for screen readers; also the placeholder, if there is no other. */
  label: string;
  value: string;
  onSearch: (query: string) => void;
  /** What was found, shown beside the button that clears a text. */
  found?: ReactNode;
  onEnter?: () => void;
};

/** A text that is searched for. A button clears it, and so does Escape. */
export function SearchField({ label, placeholder = label, value, onSearch, found, onEnter, ...rest }: SearchFieldProps) {
  const { t } = useTranslation('common');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isComposing(event)) onSearch('');
    if (isEnter(event)) onEnter?.();
  };
  return (
    <TextField
      {...rest}
      label={label}
      labelHidden
      placeholder={placeholder}
      autoComplete="off"
      lead={<Search size={15} aria-hidden />}
      trail={
        value && (
          <>
            {found}
            <IconButton label={t('clearSearch')} size={24} icon={<X size={14} />} onClick={() => onSearch('')} />
          </>
        )
      }
      value={value}
      onChange={(event) => onSearch(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
