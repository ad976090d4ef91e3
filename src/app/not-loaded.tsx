import { Button } from '../ui/controls/buttons/button.tsx';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import styles from './not-loaded.module.css';

/** Shown when the scripts of a page did not load. */
export function NotLoaded() {
  const { t } = useTranslation('common');
  return (
    <main className={styles.page}>
      <p className={styles.text} role="alert">
        {t('notLoaded.text')}
      </p>
      <Button variant="primary" onClick={() => location.reload()}>
        {t('notLoaded.again')}
      </Button>
    </main>
  );
}
