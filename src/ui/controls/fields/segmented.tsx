import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './segmented.module.css';

type SegmentedProps<Value extends string> = {
  /** The label for screen readers. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
};

/** A choice of a few visible options: one tab stop, and the arrow keys choose. It uses the browser's radio buttons, which add no weight. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  const name = useId();
  const group = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice in a prerendered page, before its script, counts once
  useEffect(() => {
    const chosen = group.current?.querySelector<HTMLInputElement>('input:checked')?.value;
    const option = options.find((one) => one.value === chosen);
    if (option && option.value !== value) onChange(option.value);
  }, []);
  return (
    <div ref={group} role="radiogroup" aria-label={label} className={styles.group}>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  );
}
