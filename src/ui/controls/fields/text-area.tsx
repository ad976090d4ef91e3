import type { ComponentProps } from 'react';
import styles from './field.module.css';
import { Field, type FieldFrame } from './field.tsx';

export type TextAreaProps = ComponentProps<'textarea'> & FieldFrame & { mono?: boolean };

export function TextArea({ label, aside, hint, error, labelHidden, mono = false, className, ...rest }: TextAreaProps) {
  return (
    <Field label={label} aside={aside} hint={hint} error={error} labelHidden={labelHidden ?? false}>
      {(wiring) => <textarea {...rest} {...wiring} className={[styles.input, mono && styles.mono, className].filter(Boolean).join(' ')} />}
    </Field>
  );
}
