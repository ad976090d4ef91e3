import type { Budget } from '../../../../contract/budget.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { limitFigures } from './budget-figures.ts';
import styles from './budgets.module.css';

/** The limits of a budget as bars: spent, reserved for calls under way, and the whole. */
export function LimitBars({ budget }: { budget: Budget }) {
  const { t, language } = useTranslation('budgets');
  return (
    <ul className={styles.limits}>
      {limitFigures(budget, language).map(({ name, used, reserved, state, usedText, limitText, reservedText }) => (
        <li key={name} data-state={state}>
          <span className={styles.words}>
            <span>{t(name === 'time' ? 'minutes' : name)}</span>
            <span>
              {budget.used ? t('used', { used: usedText, limit: limitText }) : limitText}
              {reservedText && ` · ${t('reserved', { amount: reservedText })}`}
              {state !== 'calm' && ` · ${t(state)}`}
            </span>
          </span>
          {budget.used && (
            <span className={styles.bar} aria-hidden>
              <i style={{ width: `${used * 100}%` }} />
              <i data-reserved style={{ width: `${Math.min(1 - used, reserved) * 100}%` }} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
