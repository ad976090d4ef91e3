import { type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { LeftOutNote, useLeftOut } from './left-out.tsx';

export type FieldFrame = {
  label: string;
  /** Stands at the label's right end: a link, a count. */
  aside?: ReactNode;
  hint?: ReactNode;
  /** The problem of the value; announced, and marks the input. */
  error?: string | undefined;
  /** Marks a value whose problem is shown elsewhere. */
  invalid?: boolean | undefined;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean;
};

type Wiring = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined };

/** Label, input, hint and error in their order, wired for assistive technology; `children` draws the input with that wiring. */
export function Field({
  label,
  aside,
  hint,
  error,
  invalid = false,
  labelHidden = false,
  children,
}: FieldFrame & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const { ref, leftOut, forget } = useLeftOut();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div ref={ref} className={styles.field} data-field>
      <div className={labelHidden && !aside ? 'visually-hidden' : styles.head}>
        <label htmlFor={id} className={labelHidden ? 'visually-hidden' : styles.label}>
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-invalid': error || invalid ? true : undefined, 'aria-describedby': described || undefined })}
      {leftOut && <LeftOutNote leftOut={leftOut} onClose={forget} />}
      <p id={`${id}-error`} className={styles.error} role="alert" hidden={!error}>
        {error}
      </p>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
