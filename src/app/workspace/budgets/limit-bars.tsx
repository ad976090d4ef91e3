import { moneyText } from '../../../model/run/cost-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { AmountBar } from '../marks/amount-bar.tsx';
import { type LimitedBudget, limitFigures } from './budget-figures.ts';
import styles from './budgets.module.css';

/** The limits of a budget as bars: spent, reserved for calls under way, and the whole. */
export function LimitBars({ budget }: { budget: LimitedBudget }) {
  const { t, language } = useTranslation('budgets');
  const figures = limitFigures(budget, language);
  const nearest = figures.filter(({ state }) => state === 'near').toSorted((one, other) => other.percent - one.percent)[0];
  const others = budget.used?.otherMoney ?? [];
  return (
    <ul className={styles.limits}>
      {figures.map(({ name, used, reserved, state, usedText, limitText, reservedText }) => (
        <li key={name}>
          <span className={styles.words}>
            <span>{t(name === 'time' ? 'minutes' : name)}</span>
            <span>
              {budget.used ? t('words:usedOfLimit', { used: usedText, limit: limitText }) : limitText}
              {reservedText && ` · ${t('words:amountReserved', { amount: reservedText })}`}
              {state !== 'calm' && ` · ${t(state)}`}
            </span>
          </span>
          {budget.used && <AmountBar {...{ state, used, reserved }} className={styles.bar} />}
        </li>
      ))}
      {nearest && (
        <li className={styles.warning} data-testid="budget-warning">
          <span role="status">
            {t(`warning.${budget.atLimit}`, { percent: nearest.percent, limit: t(nearest.name === 'time' ? 'minutes' : nearest.name) })}
          </span>
        </li>
      )}
      {others.length > 0 && (
        <li className={styles.muted} data-testid="other-money">
          {t('otherMoney', { amounts: others.map((amount) => moneyText(amount, language)).join(' + ') })}
        </li>
      )}
    </ul>
  );
}
