import { Button } from '../../../ui/controls/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Info, OctagonX, Plug, TriangleAlert, Unplug } from '../../../ui/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { connectionMood } from '../bars/connection-mood.ts';
import { formatClock } from '../format-moment.ts';
import styles from './live.module.css';
import { useCommunicationRows } from './use-communication-rows.ts';

/** How news of the run arrive, how much has arrived, and what the system said of it. */
export function Live() {
  const { t, language } = useTranslation('console');
  const dispatch = useDispatch();
  const mood = useWorkspace((state) => connectionMood(state.connection));
  const lastSeq = useWorkspace((state) => state.run.execution?.lastSeq ?? 0);
  const version = useWorkspace((state) => state.save.version);
  const { rows, textOf } = useCommunicationRows();
  const events = rows.filter((row) => row.from === null);
  return (
    <div className={styles.live} data-testid="live">
      <div className={styles.state}>
        <p className={styles.mood} data-mood={mood}>
          <i /> {t(`live.${mood}`)}
        </p>
        <p className={styles.hint}>{t(`live.${mood}Hint`)}</p>
        <dl>
          <div>
            <dt>{t('live.lastSeq')}</dt>
            <dd>{lastSeq.toLocaleString(language)}</dd>
          </div>
          <div>
            <dt>{t('live.saved')}</dt>
            <dd>{t('live.version', { version })}</dd>
          </div>
        </dl>
        {mood === 'disconnected' && (
          <Button size="s" icon={<Plug size={15} aria-hidden />} onClick={() => void dispatch({ type: 'realtime.connect' })}>
            {t('live.connect')}
          </Button>
        )}
        {(mood === 'connected' || mood === 'connecting') && (
          <Button size="s" icon={<Unplug size={15} aria-hidden />} onClick={() => void dispatch({ type: 'realtime.disconnect' })}>
            {t('live.disconnect')}
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={styles.log} aria-label={t('live.log')} tabIndex={0}>
        <h2>{t('live.log')}</h2>
        {events.length === 0 ? (
          <p className={styles.hint}>{t('live.empty')}</p>
        ) : (
          <ol>
            {events.toReversed().map((row) => (
              <li key={row.message.id} data-tone={row.message.isError ? 'error' : row.message.isWarning ? 'warning' : undefined}>
                <time dateTime={row.message.timestamp}>{formatClock(row.message.timestamp, language)}</time>
                {row.message.isError ? (
                  <OctagonX size={15} aria-hidden />
                ) : row.message.isWarning ? (
                  <TriangleAlert size={15} aria-hidden />
                ) : (
                  <Info size={15} aria-hidden />
                )}
                <span>{textOf(row)}</span>
              </li>
            ))}
          </ol>
        )}
      </section>
    </div>
  );
}
