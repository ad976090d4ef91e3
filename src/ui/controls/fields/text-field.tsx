import type { ComponentProps, ReactNode } from 'react';
import styles from './field.module.css';
import { Field, type FieldFrame } from './field.tsx';

export type TextFieldProps = Omit<ComponentProps<'input'>, 'size'> &
  FieldFrame & {
    /** 32, 36 and 44 px high. */
    size?: 's' | 'm' | 'xl';
    /** An icon inside, at the left. */
    lead?: ReactNode;
    /** A button inside, at the right. */
    trail?: ReactNode;
  };

export function TextField({
  label,
  aside,
  hint,
  error,
  invalid,
  labelHidden,
  size = 'm',
  lead,
  trail,
  className,
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} aside={aside} hint={hint} error={error} invalid={invalid} labelHidden={labelHidden ?? false}>
      {(wiring) => (
        <div className={styles.holder}>
          {lead && <span className={styles.lead}>{lead}</span>}
          <input
            {...rest}
            {...wiring}
            data-lead={lead ? '' : undefined}
            data-trail={trail ? '' : undefined}
            className={[styles.input, styles[size], className].filter(Boolean).join(' ')}
          />
          {trail && <span className={styles.trail}>{trail}</span>}
        </div>
      )}
    </Field>
  );
}
