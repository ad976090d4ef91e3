import { type ComponentProps, type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldPath, FieldValues, SubmitErrorHandler } from 'react-hook-form';
import type { Problem } from '../../model/problem.ts';
import { Button, type ButtonProps } from '../controls/buttons/button.tsx';
import { ProblemNote, ProblemText } from '../controls/problem-note.tsx';
import { focusFirstWrong } from '../focus-first-wrong.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import styles from './form.module.css';
import { fieldMessages, type ZodForm } from './use-zod-form.ts';

type FormProps<Given extends FieldValues, Values extends FieldValues> = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: ZodForm<Given, Values>;
  /** Called with what the schema has made of the values. While it works, the first button is busy. */
  onSubmit: (values: Values) => unknown;
  /** Called where a value is wrong. */
  onWrong?: SubmitErrorHandler<Given>;
  /** The words of the first button; without them the window around the form has the buttons, or the children are with them. */
  submit?: string;
  size?: ButtonProps['size'];
  isBusy?: boolean;
  isDisabled?: boolean;
  /** Shows a second button, which leaves the form. */
  onCancel?: () => void;
  /** Called by Escape in a field, where the window round the form stays. */
  onEscape?: () => void;
  /** Why the last call has failed. What it says of single fields stands at them. */
  problem?: Problem | null;
  /** Further buttons. */
  more?: ReactNode;
  /** The first button is as wide as the form. */
  wide?: boolean;
  icon?: ReactNode;
  /** The buttons stay in view while a long form scrolls. */
  staysInView?: boolean;
  /** The buttons stand at the right end, beside what the call is doing or why it has failed; the first one is the last. */
  atEnd?: boolean;
  status?: ReactNode;
};

/** The fields of a form, the problem of its last call, and its buttons. After a refused submit its first wrong field has the focus. */
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
  onKeyDown,
  onChange,
  problem = null,
  more,
  wide = false,
  icon,
  staysInView = false,
  atEnd = false,
  status,
  className = styles.form,
  children,
  ...rest
}: FormProps<Given, Values>) {
  const { t } = useTranslation('common');
  const busy = isBusy || form.formState.isSubmitting;
  const send = form.handleSubmit(async (values) => void (await onSubmit(values)), onWrong);
  const submitOnce = (event: FormEvent) => {
    // A form in a portal is no part of the form that shows it.
    event.stopPropagation();
    if (busy) event.preventDefault();
    else void send(event);
  };
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    onKeyDown?.(event);
    if (event.key !== 'Escape' || !onEscape) return;
    event.stopPropagation();
    onEscape();
  };
  // What is typed may be the cure: the problem before it is over.
  const [typedAfter, setTypedAfter] = useState<Problem | null>(null);
  const said = problem === typedAfter ? null : problem;
  const element = useRef<HTMLFormElement>(null);
  const { submitCount, isSubmitSuccessful } = form.formState;
  const { setError, getValues } = form;
  // The problem whose fields are marked: the next drawing shows them.
  const [marked, setMarked] = useState<Problem | null>(null);
  useEffect(() => {
    for (const [name, message] of fieldMessages(problem, Object.keys(getValues())))
      setError(name as FieldPath<Given>, { type: 'server', message });
    setMarked(problem);
  }, [problem, setError, getValues]);
  useEffect(() => {
    if (marked || (submitCount > 0 && !isSubmitSuccessful)) focusFirstWrong(element.current);
  }, [marked, submitCount, isSubmitSuccessful]);
  const sends = submit !== undefined && (
    <Button type="submit" variant="primary" {...{ size, wide, icon, busy }} disabled={isDisabled}>
      {submit}
    </Button>
  );
  const cancels = onCancel && (
    <Button size={size} onClick={onCancel}>
      {t('common:cancel')}
    </Button>
  );
  return (
    <form
      {...rest}
      ref={element}
      className={className}
      onSubmit={submitOnce}
      onChange={(event) => {
        setTypedAfter(problem);
        onChange?.(event);
      }}
      onKeyDown={press}
      noValidate
    >
      {children}
      {!atEnd && said && <ProblemNote problem={said} className={styles.problem} />}
      {sends && !atEnd && (
        <div className={styles.act} data-stays={staysInView || undefined}>
          {sends}
          {cancels}
          {more}
        </div>
      )}
      {sends && atEnd && (
        <div className={styles.end}>
          <p role="status" data-wrong={said !== null || undefined}>
            {status || (said && <ProblemText problem={said} />)}
          </p>
          {cancels}
          {more}
          {sends}
        </div>
      )}
    </form>
  );
}
