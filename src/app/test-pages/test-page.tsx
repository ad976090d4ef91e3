import type { ReactNode } from 'react';
import { useObserved } from '../../state/use-observed.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Logo } from '../../ui/logo.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import styles from './test-page.module.css';
import { storageNotes } from './watch-storage.ts';

const pages = ['test-auth', 'login-test', 'public-test', 'simple-test', 'storage-test'] as const;
export type TestPageName = Exclude<(typeof pages)[number], 'public-test'>;

/** The frame of a test page for developers: its purpose, the tests, links to the other pages, and the storage log. */
export function TestPage({ name, children }: { name: TestPageName; children: ReactNode }) {
  const { t } = useTranslation('developer');
  const { t: common } = useTranslation('common');
  const title = t(`${name}.title`);
  usePageTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        {/* Each page is opened anew, so that none but these goes on to note what the storage goes through. */}
        <a href="/" className={styles.brand}>
          <Logo size={28} />
          {common('product')}
        </a>
        <h1>{title}</h1>
        <p className={styles.intro}>{t(`${name}.intro`)}</p>
        {children}
        <nav className={styles.links} aria-label={t('others')}>
          {pages
            .filter((page) => page !== name)
            .map((page) => (
              <a key={page} href={`/${page}`}>
                <code>/{page}</code> {t(`${page}.title`)}
              </a>
            ))}
        </nav>
        <StorageLog />
      </div>
    </main>
  );
}

/** All reads and writes of local storage since the page was opened, newest first. */
function StorageLog() {
  const { t } = useTranslation('developer');
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
