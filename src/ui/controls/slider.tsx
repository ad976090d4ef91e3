import { Slider as Base } from '@base-ui/react/slider';
import styles from './slider.module.css';

export type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value as shown to people. */
  format: (value: number) => string;
  onChange: (value: number) => void;
  disabled?: boolean;
};

/** A number within limits, dragged or stepped by the arrow keys. */
export function Slider({ label, value, min, max, step, format, onChange, disabled = false }: SliderProps) {
  return (
    <Base.Root
      className={styles.root}
      value={value}
      min={min}
      max={max}
      step={step}
      disabled={disabled}
      onValueChange={(next) => onChange(next as number)}
    >
      <div className={styles.head}>
        <Base.Label className={styles.label}>{label}</Base.Label>
        <span className={styles.value}>{format(value)}</span>
      </div>
      <Base.Control className={styles.control}>
        <Base.Track className={styles.track}>
          <Base.Indicator className={styles.indicator} />
          <Base.Thumb className={styles.thumb} getAriaValueText={(_, current) => format(current)} />
        </Base.Track>
      </Base.Control>
    </Base.Root>
  );
}
