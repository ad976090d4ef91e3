import { Spinner } from '../../ui/controls/spinner.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './page-loading.module.css';

/** Stands in while a page arrives; shows itself only when that takes a moment. */
export function PageLoading() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.page} role="status">
      <Spinner size={20} />
      <span>{t('loading')}</span>
    </div>
  );
}
