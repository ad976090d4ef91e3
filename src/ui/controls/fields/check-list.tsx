import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './check-list.module.css';
import { Checkbox } from './checkbox.tsx';

type CheckedLineProps = Pick<ComponentProps<typeof Checkbox>, 'checked' | 'disabled' | 'aria-invalid'> & {
  label: ReactNode;
  /** A line of smaller words below the label. */
  text?: ReactNode;
  onToggle: (isOn: boolean) => void;
};

/** A checkbox with its words, all of which take the press. */
export function CheckedLine({ label, text, onToggle, ...box }: CheckedLineProps) {
  const id = useId();
  return (
    <label className={styles.choice} htmlFor={id}>
      <Checkbox {...box} id={id} onChange={({ target }) => onToggle(target.checked)} />
      <span>
        {label}
        {text && <small>{text}</small>}
      </span>
    </label>
  );
}

type CheckListProps<Value extends string> = {
  legend: string;
  options: readonly { value: Value; label: ReactNode; text?: ReactNode }[];
  chosen: readonly Value[];
  onToggle: (value: Value, isOn: boolean) => void;
  error?: string | undefined;
  disabled?: boolean;
};

/** A choice of any number of options, one a line. */
export function CheckList<Value extends string>({ legend, options, chosen, onToggle, error, disabled }: CheckListProps<Value>) {
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map(({ value, label, text }) => (
        <CheckedLine
          key={value}
          label={label}
          text={text}
          checked={chosen.includes(value)}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          onToggle={(isOn) => onToggle(value, isOn)}
        />
      ))}
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
