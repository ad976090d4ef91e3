import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './agent-settings.module.css';
import { parseNumber } from './parse-number.ts';

export type RangeFieldProps = {
  label: string;
  changed: ReactNode;
  range: { min: number; max: number; step: number };
  decimals: number;
  low: string;
  high: string;
  problem: string | undefined;
  disabled: boolean;
  value: number;
  onChange: (value: number) => void;
};

/** A number within limits, by a slider or a text field. */
export function RangeField({ label, changed, range, decimals, low, high, problem, disabled, value, onChange }: RangeFieldProps) {
  const { language } = useTranslation('workspace');
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = Number.isFinite(value)
    ? value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    : '';
  const share = Number.isFinite(value) ? (Math.min(range.max, Math.max(range.min, value)) - range.min) / (range.max - range.min) : 0;
  return (
    <div className={styles.range}>
      <div className={styles.rangeHead}>
        <label htmlFor={id}>{label}</label>
        {changed}
        <input
          className={styles.typed}
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-problem`}
          inputMode="decimal"
          disabled={disabled}
          value={typed ?? shown}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(parseNumber(event.target.value));
          }}
          onBlur={() => setTyped(problem ? typed : null)}
        />
      </div>
      <input
        id={id}
        type="range"
        className={styles.slider}
        min={range.min}
        max={range.max}
        step={range.step}
        disabled={disabled}
        value={Number.isFinite(value) ? value : range.min}
        style={{ '--share': `${share * 100}%` }}
        onChange={(event) => {
          setTyped(null);
          onChange(Number(Number(event.target.value).toFixed(decimals)));
        }}
      />
      <div className={styles.ends}>
        <span>{low}</span>
        <span>{high}</span>
      </div>
      <p id={`${id}-problem`} className={styles.rangeProblem} role="alert" hidden={!problem}>
        {problem}
      </p>
    </div>
  );
}
