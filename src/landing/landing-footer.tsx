import { useTranslation } from '../ui/i18n/use-translation.ts';
import { Logo } from '../ui/logo.tsx';
import styles from './landing-footer.module.css';

export function LandingFooter() {
  const { t } = useTranslation('landing');
  const { t: common } = useTranslation('common');
  return (
    <footer className={styles.footer}>
      <div className={styles.column}>
        <span className={styles.brand}>
          <Logo size={24} />
          {common('product')}
        </span>
        <span className={styles.motto}>{t('footer.motto')}</span>
        <a href="#content" className={styles.top}>
          {t('footer.top')}
        </a>
      </div>
    </footer>
  );
}
