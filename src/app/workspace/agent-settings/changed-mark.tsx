import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './agent-settings.module.css';

/** Marks a field that differs from the saved one. */
export function ChangedMark() {
  const { t } = useTranslation('connections');
  return (
    <span className={styles.mark} title={t('agent.changed')}>
      <span className="visually-hidden">{t('agent.changed')}</span>
    </span>
  );
}
