import { memo, useMemo, useState } from 'react';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Facts } from '../../../../ui/controls/facts.tsx';
import { Segmented } from '../../../../ui/controls/fields/segmented.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Info, OctagonX, Plug, Stethoscope, TriangleAlert, Unplug } from '../../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { connectionDisplayState } from '../../bars/connection-display-state.ts';
import { Diagnostic } from '../../diagnostic/diagnostic.tsx';
import { formatClock } from '../../time/format-moment.ts';
import { hasSender } from '../conversation/communication-rows.ts';
import { useConversation } from '../conversation/use-conversation.ts';
import styles from './live.module.css';
import { LiveEvents } from './live-events.tsx';

/** The state of the connection, the number of messages, and the system's events. */
export const Live = memo(LiveNow);

function LiveNow() {
  const { t, language } = useTranslation('console');
  const dispatch = useDispatch();
  const connection = useWorkspace(connectionDisplayState);
  const lastSeq = useWorkspace((state) => state.run.execution?.lastSeq ?? 0);
  const version = useWorkspace((state) => state.save.version);
  const received = useWorkspace((state) => state.live.received);
  const projectId = useWorkspace((state) => state.project?.id ?? null);
  const [diagnosing, setDiagnosing] = useState(false);
  const [shown, setShown] = useState<'log' | 'raw'>('log');
  return (
    <div className={styles.live} data-testid="live">
      <div className={styles.state}>
        <p className={styles.connection} data-state={connection}>
          <i /> {t(`live.${connection}`)}
        </p>
        <p className={styles.hint}>{t(`live.${connection}Hint`)}</p>
        <Facts
          facts={[
            [t('live.received'), received.toLocaleString(language)],
            [t('live.lastSeq'), lastSeq > 0 ? t('live.seq', { number: lastSeq.toLocaleString(language) }) : t('live.noSeq')],
            [t('live.saved'), t('words:versionNumber', { version })],
          ]}
        />
        {projectId !== null && connection !== 'demo' && (
          <Button size="s" icon={<Stethoscope size={15} aria-hidden />} onClick={() => setDiagnosing(true)}>
            {t('diagnostic.open')}
          </Button>
        )}
        {connection === 'disconnected' && (
          <Button size="s" icon={<Plug size={15} aria-hidden />} onClick={() => void dispatch({ type: 'realtime.connect' })}>
            {t('live.connect')}
          </Button>
        )}
        {(connection === 'connected' || connection === 'connecting') && (
          <Button size="s" icon={<Unplug size={15} aria-hidden />} onClick={() => void dispatch({ type: 'realtime.disconnect' })}>
            {t('words:disconnect')}
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={styles.log} aria-label={t(`live.${shown}`)} tabIndex={0}>
        <Segmented
          label={t('whatToShow')}
          value={shown}
          options={[
            { value: 'log', label: t('live.log') },
            { value: 'raw', label: t('live.raw') },
          ]}
          onChange={setShown}
        />
        {shown === 'log' ? <Log /> : <LiveEvents />}
      </section>
      <Diagnostic open={diagnosing} onClose={() => setDiagnosing(false)} />
    </div>
  );
}

/** The shown lines of the log; the conversation has all. */
const maxLines = 200;

/** The system's events of the run, newest first. */
function Log() {
  const { t, language } = useTranslation('console');
  const { messages, textOf } = useConversation();
  const lines = useMemo(
    () =>
      messages
        .filter((message) => !hasSender(message))
        .slice(-maxLines)
        .reverse(),
    [messages],
  );
  if (lines.length === 0) return <p className={styles.hint}>{t('live.empty')}</p>;
  return (
    <ol className={styles.events}>
      {lines.map((message) => (
        <li key={message.id} data-tone={message.isError ? 'error' : message.isWarning ? 'warning' : undefined}>
          <time dateTime={message.timestamp}>{formatClock(message.timestamp, language)}</time>
          {message.isError ? (
            <OctagonX size={15} aria-hidden />
          ) : message.isWarning ? (
            <TriangleAlert size={15} aria-hidden />
          ) : (
            <Info size={15} aria-hidden />
          )}
          <span>{textOf(message)}</span>
        </li>
      ))}
    </ol>
  );
}
