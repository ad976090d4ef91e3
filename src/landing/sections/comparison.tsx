import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Check, Minus } from '../../ui/icons/icons.ts';
import { Logo } from '../../ui/logo.tsx';
import styles from './comparison.module.css';
import { Section } from './section.tsx';

/** By kind and not by name, so that the comparison is fair. */
const alternatives = ['automation', 'assistant', 'cloud', 'bank', 'search'] as const;
const limitations = ['first', 'second'] as const;
const strengths = ['first', 'second', 'third'] as const;

/** Five kinds of tools with their missing functions, and the product with its functions. */
export function Comparison() {
  const { t } = useTranslation('offer');
  return (
    <Section id="competitor-comparison" kicker={t('comparison.kicker')} title={t('comparison.title')} lead={t('comparison.lead')}>
      <div className={styles.product}>
        <div>
          <h3 className={styles.brand}>
            <Logo size={24} />
            {t('comparison.product.name')}
          </h3>
          <p className={styles.kind}>{t('comparison.product.text')}</p>
        </div>
        <ul className={styles.strengths}>
          {strengths.map((strength) => (
            <li key={strength}>
              <Check size={18} strokeWidth={1.75} />
              {t(`comparison.product.${strength}`)}
            </li>
          ))}
        </ul>
      </div>
      <ul className={styles.alternatives}>
        {alternatives.map((key) => (
          <li key={key} className={styles.alternative}>
            <h3 className={styles.name}>{t(`comparison.${key}.name`)}</h3>
            <p className={styles.kind}>{t(`comparison.${key}.text`)}</p>
            <ul className={styles.limitations}>
              {limitations.map((limitation) => (
                <li key={limitation}>
                  <Minus size={14} />
                  {t(`comparison.${key}.${limitation}`)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}
