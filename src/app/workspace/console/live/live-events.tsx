import { useMemo } from 'react';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { formatClock } from '../../time/format-moment.ts';
import { VisibleText } from '../files/visible-text.tsx';
import styles from './live.module.css';

/** The messages of the server, newest first, unchanged. */
export function LiveEvents() {
  const { t, language } = useTranslation('console');
  const events = useWorkspace((state) => state.live.events);
  const newest = useMemo(() => Object.values(events).reverse(), [events]);
  if (newest.length === 0) return <p className={styles.hint}>{t('live.empty')}</p>;
  return (
    <ol className={styles.raw} data-testid="raw-events">
      {newest.map(({ id, at, via, type, seq, body }) => (
        <li key={id}>
          <details>
            <summary>
              <time dateTime={at}>{formatClock(at, language)}</time>
              <code>{type}</code>
              {seq !== null && <span>№ {seq.toLocaleString(language)}</span>}
              <span>{t(`live.via.${via}`)}</span>
            </summary>
            <pre>
              <VisibleText text={body} />
            </pre>
          </details>
        </li>
      ))}
    </ol>
  );
}
