import type { ComponentProps, CSSProperties } from 'react';
import styles from './field.module.css';
import { Field, type FieldFrame } from './field.tsx';

type TextAreaProps = ComponentProps<'textarea'> & FieldFrame & { mono?: boolean; grows?: boolean };

/** Lines of a text area that grows, in a browser that cannot measure its text. */
const maxRows = 24;

/** `grows`: `rows` is the least height, and a longer text makes it higher, up to a part of the window. */
export function TextArea({
  label,
  aside,
  hint,
  error,
  labelHidden,
  mono = false,
  grows = false,
  className,
  rows = 2,
  ...rest
}: TextAreaProps) {
  const text = grows && typeof rest.value === 'string' ? rest.value : '';
  const classes = [styles.input, mono && styles.mono, grows && styles.grows, className].filter(Boolean).join(' ');
  return (
    <Field label={label} aside={aside} hint={hint} error={error} labelHidden={labelHidden ?? false}>
      {(wiring) => (
        <textarea
          {...rest}
          {...wiring}
          rows={Math.max(rows, Math.min(maxRows, text.split('\n').length))}
          className={classes}
          style={grows ? ({ '--rows': rows } as CSSProperties) : undefined}
        />
      )}
    </Field>
  );
}
