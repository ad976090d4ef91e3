import { Autocomplete } from '@base-ui/react/autocomplete';
import { ChevronsUpDown } from '../../icons/icons.ts';
import fieldStyles from './field.module.css';
import { Field, type FieldFrame } from './field.tsx';
import styles from './select.module.css';

type ComboFieldProps = FieldFrame & {
  value: string;
  /** The suggestions; any other value may be typed too. */
  options: readonly string[];
  /** The label of the button that opens the list. */
  openLabel: string;
  onChange: (value: string) => void;
  disabled?: boolean;
};

/** A text field with a list of suggestions. */
export function ComboField({ value, options, openLabel, onChange, disabled = false, ...frame }: ComboFieldProps) {
  return (
    <Field {...frame}>
      {(wiring) => (
        <Autocomplete.Root items={options} mode="none" value={value} onValueChange={onChange} openOnInputClick disabled={disabled}>
          <div className={fieldStyles.holder}>
            <Autocomplete.Input
              {...wiring}
              // The open list hides all other elements from screen readers, also the label of this field.
              aria-label={frame.label}
              className={fieldStyles.input}
              data-trail=""
              spellCheck={false}
              autoComplete="off"
            />
            <span className={fieldStyles.trail}>
              <Autocomplete.Trigger className={styles.opener} aria-label={openLabel}>
                <ChevronsUpDown size={14} aria-hidden />
              </Autocomplete.Trigger>
            </span>
          </div>
          <Autocomplete.Portal>
            <Autocomplete.Positioner className={styles.positioner} sideOffset={4} collisionPadding={8}>
              <Autocomplete.Popup className={styles.popup}>
                <Autocomplete.List>
                  {(option: string) => (
                    <Autocomplete.Item key={option} value={option} className={styles.item}>
                      <span className={styles.words}>{option}</span>
                    </Autocomplete.Item>
                  )}
                </Autocomplete.List>
              </Autocomplete.Popup>
            </Autocomplete.Positioner>
          </Autocomplete.Portal>
        </Autocomplete.Root>
      )}
    </Field>
  );
}
