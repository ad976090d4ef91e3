import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { Problem } from '../../model/problem.ts';
import { Button, type ButtonProps } from '../controls/buttons/button.tsx';
import { ProblemNote } from '../controls/problem-note.tsx';
import { useTranslation } from '../i18n/use-translation.ts';
import styles from './form.module.css';
import type { ZodForm } from './use-zod-form.ts';

type FormProps<Given extends FieldValues, Values extends FieldValues> = {
  form: ZodForm<Given, Values>;
  /** Called with what the schema has made of the values. While it works, the first button is busy. */
  onSubmit: (values: Values) => unknown;
  /** Called where a value is wrong. */
  onWrong?: () => void;
  /** The words of the first button. */
  submit: string;
  size?: ButtonProps['size'];
  isBusy?: boolean;
  isDisabled?: boolean;
  /** Shows a second button, which leaves the form. */
  onCancel?: () => void;
  /** Called by Escape in a field, where the window round the form stays. */
  onEscape?: () => void;
  /** Why the last call has failed. */
  problem?: Problem | null;
  /** Further buttons. */
  more?: ReactNode;
  children: ReactNode;
};

/** The fields of a form, the problem of its last call, and its buttons. */
export function Form<Given extends FieldValues, Values extends FieldValues>({
  form,
  onSubmit,
  onWrong,
  submit,
  size = 'm',
  isBusy = false,
  isDisabled = false,
  onCancel,
  onEscape,
  problem = null,
  more,
  children,
}: FormProps<Given, Values>) {
  const { t } = useTranslation('common');
  const busy = isBusy || form.formState.isSubmitting;
  const send = form.handleSubmit(async (values) => void (await onSubmit(values)), onWrong);
  const submitOnce = (event: FormEvent) => {
    if (busy) event.preventDefault();
    else void send(event);
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !onEscape) return;
    event.stopPropagation();
    onEscape();
  };
  return (
    <form className={styles.form} onSubmit={submitOnce} onKeyDown={leave} noValidate>
      {children}
      <ProblemNote problem={problem} className={styles.problem} />
      <div className={styles.act}>
        <Button type="submit" variant="primary" size={size} busy={busy} disabled={isDisabled}>
          {submit}
        </Button>
        {onCancel && (
          <Button size={size} onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        )}
        {more}
      </div>
    </form>
  );
}
