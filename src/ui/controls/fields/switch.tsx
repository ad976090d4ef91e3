import { Switch as Base } from '@base-ui/react/switch';
import styles from './switch.module.css';

type SwitchProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  labelHidden?: boolean;
};

/** An on/off switch that applies immediately. */
export function Switch({ label, checked, onChange, disabled = false, labelHidden = false }: SwitchProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the Base UI switch inside
    <label className={styles.row} data-disabled={disabled || undefined}>
      <span className={labelHidden ? 'visually-hidden' : undefined}>{label}</span>
      <Base.Root className={styles.track} checked={checked} onCheckedChange={onChange} disabled={disabled}>
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
    </label>
  );
}
