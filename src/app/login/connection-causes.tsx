import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './connection-causes.module.css';

/** The possible causes of an unreachable server, each with a remedy. P8.03 */
export function ConnectionCauses() {
  const { t } = useTranslation('common');
  return (
    <>
      <p className={styles.text}>{t('connection.text')}</p>
      <ul className={styles.causes}>
        {(['internet', 'server', 'certificate', 'cors'] as const).map((cause) => (
          <li key={cause}>{t(`connection.causes.${cause}`)}</li>
        ))}
      </ul>
      <p className={styles.text}>{t('connection.advice')}</p>
    </>
  );
}
