import { Spinner } from '../../ui/controls/spinner.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './page-loading.module.css';

/** The placeholder of a page that loads. It becomes visible only after a short delay. */
export function PageLoading() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.page} role="status">
      <Spinner size={20} />
      <span>{t('loading')}</span>
    </div>
  );
}
