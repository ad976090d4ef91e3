import { Badge } from '../../../ui/controls/badge.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './plan-modal.module.css';
import { type Plan, savedPercent } from './plans.ts';

type PlanCardProps = { plan: Plan; group: string; chosen: boolean; onChoose: () => void };

/** One of several plans: a radio button as a card. */
export function PlanCard({ plan, group, chosen, onChoose }: PlanCardProps) {
  const { t, language } = useTranslation('modals');
  const { id, agents, price, offer, featured } = plan;
  return (
    <label className={styles.card} data-plan={id}>
      <input type="radio" className={styles.radio} name={group} value={id} checked={chosen} onChange={onChoose} />
      <span className={styles.name}>
        {t(`plan.name.${id}`)}
        {featured && <Badge tone="accent">{t('plan.featured')}</Badge>}
      </span>
      <span className={styles.price}>
        <strong>{money(price, language)}</strong>
        {offer?.kind === 'was' && (
          <s>
            <span className="visually-hidden">{t('plan.instead')} </span>
            {money(offer.price, language)}
          </s>
        )}
      </span>
      <span className={styles.agents}>{t('words:agentCount', { count: agents })}</span>
      {offer && (
        <span className={styles.saving}>
          {offer.kind === 'was'
            ? t('plan.savesPercent', { percent: savedPercent(price, offer.price) })
            : t('plan.savesMoney', { money: money(offer.amount, language) })}
        </span>
      )}
    </label>
  );
}

function money(amount: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }).format(amount);
}
