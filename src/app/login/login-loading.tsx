import { Spinner } from '../../ui/controls/spinner.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './login-loading.module.css';

/** Stands in for the sign-in window while its script is on its way; shows itself only when that takes a moment. */
export function LoginLoading() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.coming} role="status" data-testid="login-coming">
      <Spinner size={28} label={t('loading')} />
    </div>
  );
}
