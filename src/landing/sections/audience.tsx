import { useState } from 'react';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Building, Check, Laptop, Rocket } from '../../ui/icons/icons.ts';
import styles from './audience.module.css';
import { Section } from './section.tsx';

const cards = [
  { key: 'freelancers', Icon: Laptop },
  { key: 'startups', Icon: Rocket },
  { key: 'smb', Icon: Building },
] as const;

const points = ['first', 'second', 'third'] as const;

/** The card that is highlighted while the pointer is on none. */
const usual = 'startups';

/** The audience: three cards; the one under the pointer is highlighted. */
export function Audience() {
  const { t } = useTranslation('offer');
  const [highlighted, setHighlighted] = useState<(typeof cards)[number]['key']>(usual);
  return (
    <Section id="audience" on="surface" kicker={t('audience.kicker')} title={t('audience.title')}>
      <ul className={styles.cards}>
        {cards.map(({ key, Icon }) => (
          <li
            key={key}
            className={styles.card}
            data-highlighted={key === highlighted || undefined}
            onMouseEnter={() => setHighlighted(key)}
            onMouseLeave={() => setHighlighted(usual)}
          >
            <span className={styles.icon}>
              <Icon size={24} strokeWidth={1.75} />
            </span>
            <h3 className={styles.name}>{t(`audience.${key}.name`)}</h3>
            <p className={styles.text}>{t(`audience.${key}.text`)}</p>
            <ul className={styles.points}>
              {points.map((point) => (
                <li key={point}>
                  <Check size={18} strokeWidth={1.75} />
                  {t(`audience.${key}.points.${point}`)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}
