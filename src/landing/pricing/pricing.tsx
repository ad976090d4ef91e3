import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Check } from '../../ui/icons/icons.ts';
import { requestLink } from '../landing-links.ts';
import { Section } from '../sections/section.tsx';
import { useChosenPlan } from './chosen-plan.tsx';
import { type Plan, planPrice, plans } from './plans.ts';
import styles from './pricing.module.css';

/** Four plans. A chosen plan is written into the demo request. */
export function Pricing() {
  const { t } = useTranslation('offer');
  const { chosen } = useChosenPlan();
  return (
    <Section id="pricing" on="surface" kicker={t('pricing.kicker')} title={t('pricing.title')} lead={t('pricing.lead')}>
      <ul className={styles.plans}>
        {plans.map((plan) => (
          <PlanCard key={plan.key} plan={plan} />
        ))}
      </ul>
      <p className={styles.today}>{t('pricing.today')}</p>
      <p className={styles.noted} role="status">
        {chosen && (
          <>
            {t('pricing.chosen', { plan: t(`pricing.plans.${chosen}.name`) })} <a href={requestLink}>{t('pricing.toForm')}</a>
          </>
        )}
      </p>
    </Section>
  );
}

function PlanCard({ plan }: { plan: Plan }) {
  const { t, language } = useTranslation('offer');
  const { chosen, choose } = useChosenPlan();
  const { key, custom, recommended, features } = plan;
  const price = planPrice(plan, language);
  const pick = () => {
    // biome-ignore lint/suspicious/noConsole: choosing a plan is written to the console and opens nothing
    console.info(`[pricing] plan chosen: ${key}`);
    choose(key);
  };
  return (
    <li className={styles.plan} data-recommended={recommended || undefined}>
      <div className={styles.head}>
        <h3 id={`plan-${key}`} className={styles.name}>
          {t(`pricing.plans.${key}.name`)}
        </h3>
        {recommended && <span className={styles.recommended}>{t('pricing.recommended')}</span>}
      </div>
      <div>
        <p className={styles.price} suppressHydrationWarning>
          {custom ? t('pricing.from', { price }) : price}
        </p>
        <p className={styles.month}>{t('pricing.perMonth')}</p>
      </div>
      <p className={styles.text}>{t(`pricing.plans.${key}.text`)}</p>
      <ul className={styles.features}>
        {features.map((feature) => (
          <li key={feature.text}>
            <Check size={18} strokeWidth={1.75} />
            {'count' in feature ? t(`pricing.features.${feature.text}`, { count: feature.count }) : t(`pricing.features.${feature.text}`)}
          </li>
        ))}
      </ul>
      <Button
        wide
        size="xl"
        variant={recommended ? 'primary' : 'secondary'}
        aria-pressed={chosen === key}
        aria-describedby={`plan-${key}`}
        icon={chosen === key && <Check size={17} />}
        onClick={pick}
      >
        {t(custom ? 'pricing.contact' : 'pricing.choose')}
      </Button>
    </li>
  );
}
