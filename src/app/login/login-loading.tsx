import { Spinner } from '../../ui/controls/spinner.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './login-loading.module.css';

/** The placeholder of the sign-in window while its script loads. It becomes visible only after a short delay. */
export function LoginLoading() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.coming} role="status" data-testid="login-coming">
      <Spinner size={28} label={t('loading')} />
    </div>
  );
}
