import { type ReactNode, useId, useState } from 'react';
import { Checkbox } from '../../../ui/controls/fields/checkbox.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './agent-settings.module.css';
import { parseNumber } from './parse-number.ts';

type RangeFieldProps = {
  label: string;
  changed: ReactNode;
  range: { min: number; max: number; step: number };
  decimals: number;
  low: string;
  high: string;
  /** What it does, in one sentence. */
  hint: string;
  /** What the slider takes when it leaves the model's default. */
  usual: number;
  /** Why the model takes no value; null where it does. */
  refused: string | null;
  problem: string | undefined;
  disabled: boolean;
  /** Null: nothing is sent, and the model's own default applies. */
  value: number | null;
  onChange: (value: number | null) => void;
};

/** A number within limits, by a slider or a text field, or the model's default. M3.25 */
export function RangeField(props: RangeFieldProps) {
  const { label, changed, range, decimals, low, high, hint, usual, refused, problem, onChange } = props;
  const { t, language } = useTranslation('connections');
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const disabled = props.disabled || refused !== null;
  const value = refused === null ? props.value : null;
  const known = value !== null && Number.isFinite(value) ? value : null;
  const shown = known?.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }) ?? '';
  const share = known === null ? 0 : (Math.min(range.max, Math.max(range.min, known)) - range.min) / (range.max - range.min);
  return (
    <div className={styles.range} data-unset={value === null || undefined}>
      <div className={styles.rangeHead}>
        <label htmlFor={id}>{label}</label>
        {changed}
        <input
          className={styles.typed}
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-problem`}
          inputMode="decimal"
          placeholder={t('agent.unsetShort')}
          disabled={disabled}
          value={typed ?? shown}
          onChange={(event) => {
            const text = event.target.value;
            setTyped(text);
            onChange(text.trim() === '' ? null : parseNumber(text));
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
        value={value === null ? usual : (known ?? range.min)}
        aria-valuetext={value === null ? t('agent.unset') : undefined}
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
      <p className={styles.foldNote}>{hint}</p>
      {refused === null ? (
        <label className={styles.unset} htmlFor={`${id}-unset`}>
          <Checkbox
            id={`${id}-unset`}
            checked={value === null}
            disabled={disabled}
            aria-label={t('agent.unsetOf', { field: label })}
            onChange={(event) => {
              setTyped(null);
              onChange(event.target.checked ? null : usual);
            }}
          />
          {t('agent.unset')}
        </label>
      ) : (
        <p className={styles.refused}>{refused}</p>
      )}
      <p id={`${id}-problem`} className={styles.rangeProblem} role="alert" hidden={!problem}>
        {problem}
      </p>
    </div>
  );
}
