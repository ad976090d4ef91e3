import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Section } from '../sections/section.tsx';
import { CanvasPicture, DiffPicture, IntegrationsPicture, MessagesPicture, ModelsPicture } from './feature-pictures.tsx';
import styles from './features.module.css';
import { BudgetPicture, ReplayPicture, RerunPicture } from './run-pictures.tsx';

const features = [
  { key: 'canvas', Picture: CanvasPicture, wide: true },
  { key: 'talk', Picture: MessagesPicture, wide: false },
  { key: 'replay', Picture: ReplayPicture, wide: false },
  { key: 'rerun', Picture: RerunPicture, wide: false },
  { key: 'budget', Picture: BudgetPicture, wide: false },
  { key: 'diff', Picture: DiffPicture, wide: false },
  { key: 'models', Picture: ModelsPicture, wide: false },
  { key: 'integrations', Picture: IntegrationsPicture, wide: false },
] as const;

/** The features of the workspace, each with a picture. */
export function Features() {
  const { t } = useTranslation('offer');
  return (
    <Section id="features" kicker={t('features.kicker')} title={t('features.title')} lead={t('features.lead')}>
      <ul className={styles.cards}>
        {features.map(({ key, Picture, wide }) => (
          <li key={key} className={styles.card} data-wide={wide || undefined}>
            <h3 className={styles.name}>{t(`features.${key}.title`)}</h3>
            <p className={styles.text}>{t(`features.${key}.text`)}</p>
            <div className={styles.picture}>
              <Picture />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
