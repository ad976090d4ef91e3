import { Select as Base } from '@base-ui/react/select';
import type { ReactNode } from 'react';
import { Check, ChevronsUpDown } from '../../icons/icons.ts';
import { Field, type FieldFrame } from './field.tsx';
import styles from './select.module.css';

type SelectProps<Value extends string> = FieldFrame & {
  value: Value;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
  disabled?: boolean;
};

/** A choice among several options, in a list that opens. */
export function Select<Value extends string>({ value, options, onChange, disabled = false, ...frame }: SelectProps<Value>) {
  const chosen = options.find((option) => option.value === value);
  return (
    <Field {...frame}>
      {(wiring) => (
        <Base.Root value={value} onValueChange={(next) => next !== null && onChange(next as Value)} disabled={disabled}>
          <Base.Trigger {...wiring} className={styles.trigger}>
            {chosen?.icon}
            <span className={styles.words}>{chosen?.label ?? value}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner className={styles.positioner} sideOffset={4} alignItemWithTrigger={false} collisionPadding={8}>
              <Base.Popup className={styles.popup}>
                {options.map((option) => (
                  <Base.Item key={option.value} value={option.value} className={styles.item}>
                    {option.icon}
                    <Base.ItemText className={styles.words}>{option.label}</Base.ItemText>
                    <Base.ItemIndicator>
                      <Check size={15} aria-hidden />
                    </Base.ItemIndicator>
                  </Base.Item>
                ))}
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}
