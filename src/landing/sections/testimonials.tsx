import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Building, Laptop, Rocket } from '../../ui/icons/icons.ts';
import { Section } from './section.tsx';
import styles from './testimonials.module.css';

/** Examples, and called so: real quotes take their place in the texts `testimonials.stories`. */
const stories = [
  { key: 'startups', Icon: Rocket, hue: 'violet' },
  { key: 'smb', Icon: Building, hue: 'sky' },
  { key: 'freelancers', Icon: Laptop, hue: 'emerald' },
] as const;

export function Testimonials() {
  const { t } = useTranslation('offer');
  return (
    <Section id="testimonials" kicker={t('testimonials.kicker')} title={t('testimonials.title')} lead={t('testimonials.lead')}>
      <ul className={styles.stories}>
        {stories.map(({ key, Icon, hue }) => (
          <li key={key} className={styles.story}>
            <p className={styles.text}>{t(`testimonials.stories.${key}.text`)}</p>
            <div className={styles.foot} data-hue={hue}>
              <span className={styles.tile}>
                <Icon size={18} strokeWidth={1.75} />
              </span>
              <div>
                <p className={styles.who}>
                  {t(`testimonials.stories.${key}.who`)}
                  <span className={styles.label}>{t('testimonials.label')}</span>
                </p>
                <p className={styles.what}>{t(`testimonials.stories.${key}.what`)}</p>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
