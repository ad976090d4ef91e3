import { useObserved } from '../../state/use-observed.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './test-page.module.css';
import { storageNotes } from './watch-storage.ts';

/** All reads and writes of local storage since the page was opened, newest first. */
export function StorageLog() {
  const { t } = useTranslation('tests');
  const notes = useObserved(storageNotes, storageNotes.get);
  return (
    <section className={styles.log} aria-labelledby="storage-log">
      <h2 id="storage-log">{t('log.title')}</h2>
      <p>{t('log.hint')}</p>
      <ol>
        {notes.toReversed().map(({ id, operation, key, value }) => (
          <li key={id}>
            <span className={styles.operation}>{t(`log.${operation}`)}</span> <code>{key}</code> <code>{value ?? t('log.nothing')}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}
