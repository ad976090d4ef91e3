import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './triggers.module.css';
import { useInstantText } from './use-instant-text.ts';
import type { Preview } from './use-preview.ts';

/** The next five instants of a schedule, in its zone. L4.04 */
export function NextInstants({ preview }: { preview: Preview }) {
  const { t } = useTranslation('triggers');
  const instantText = useInstantText();
  const first = preview.state === 'ready' ? preview.next[0] : undefined;
  return (
    <section aria-label={t('next.title')}>
      <h4>{t('next.title')}</h4>
      {preview.state === 'ready' ? (
        <ol className={styles.instants} data-testid="next-instants">
          {preview.next.map((at) => (
            <li key={at}>
              <time dateTime={at}>{instantText(at, preview.zone)}</time>
            </li>
          ))}
        </ol>
      ) : (
        <p className={styles.note}>{t(`next.${preview.state}`)}</p>
      )}
      <p role="status" className="visually-hidden">
        {preview.state === 'ready' && first !== undefined && t('next.first', { at: instantText(first, preview.zone) })}
      </p>
    </section>
  );
}
