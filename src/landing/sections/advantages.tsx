import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './advantages.module.css';
import { claims } from './claims.ts';
import { Section } from './section.tsx';

const figures = [
  { key: 'faster', percent: claims.fasterToMarket },
  { key: 'time', percent: claims.moreTimeForNew },
  { key: 'open', percent: claims.inView },
] as const;

/** A team's gains, in three figures. */
export function Advantages() {
  const { t, language } = useTranslation('offer');
  const percents = new Intl.NumberFormat(language, { style: 'percent' });
  const percentOf = (percent: number) => percents.format(percent / 100);
  return (
    <Section id="advantages" on="surface" kicker={t('advantages.kicker')} title={t('advantages.title')}>
      <ul className={styles.figures}>
        {figures.map(({ key, percent }) => (
          <li key={key} className={styles.figure}>
            <p className={styles.percent} suppressHydrationWarning>
              {percentOf(percent)}
            </p>
            <p className={styles.name}>{t(`advantages.${key}.name`)}</p>
            <p className={styles.text}>{t(`advantages.${key}.text`)}</p>
          </li>
        ))}
      </ul>
      <p className={styles.note} suppressHydrationWarning>
        {t('advantages.note', {
          faster: percentOf(claims.fasterToMarket),
          time: percentOf(claims.moreTimeForNew),
          open: percentOf(claims.inView),
        })}
      </p>
    </Section>
  );
}
