import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import type { ReactNode } from 'react';
import styles from './segmented.module.css';

export type SegmentedProps<Value extends string> = {
  /** What is being chosen, for screen readers. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: ReactNode; title?: string }[];
  onChange: (value: Value) => void;
};

/** One of a few, all in view. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <ToggleGroup
      aria-label={label}
      className={styles.group}
      value={[value]}
      onValueChange={(next) => {
        // Pressing the chosen one again would leave none.
        const chosen = options.find((option) => option.value === next[0]);
        if (chosen) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <Toggle key={option.value} value={option.value} title={option.title} className={styles.option}>
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
