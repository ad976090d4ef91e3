import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { PhoneScene } from './phone-scene.tsx';
import styles from './picture.module.css';
import { WideScene } from './wide-scene.tsx';

/** The canvas during a run as SVG: a wide one, and on phones three cards below each other. */
export function ProductPicture() {
  const { t } = useTranslation('landing');
  return (
    <div className={styles.frame} role="img" aria-label={t('picture.label')}>
      <WideScene />
      <PhoneScene />
    </div>
  );
}
