import { Kbd } from '../../../ui/controls/kbd.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArrowRight, ChevronUp, Terminal } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { isShortWindow } from '../frame/short-window.ts';
import { useWindowSize } from '../frame/use-window-size.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import { formatClock } from '../time/format-moment.ts';
import styles from './console.module.css';
import { isPanelMessage } from './conversation/communication-rows.ts';
import { PartyChip } from './conversation/party-chip.tsx';
import { useConversation } from './conversation/use-conversation.ts';

/** The closed console: its last message in a line that opens it, and buttons that open its tabs; in a low window a button. */
export function ConsoleBar() {
  const isShort = isShortWindow(useWindowSize().height);
  return isShort ? <ConsoleButton /> : <ConsoleLine />;
}

function ConsoleButton() {
  const { t } = useTranslation('console');
  const { show } = usePanels();
  return (
    <section className={`${panel.panel} ${styles.button}`} aria-label={t('title')} data-panel data-testid="console-bar">
      <button type="button" className={styles.cover} aria-label={t('open')} aria-expanded={false} onClick={() => show({ console: 'open' })}>
        <Terminal size={19} aria-hidden />
      </button>
    </section>
  );
}

function ConsoleLine() {
  const { t, language } = useTranslation('console');
  const { show } = usePanels();
  const { mobile } = useWorkspaceContext();
  const { messages, textOf, rowOf } = useConversation();
  const ran = useWorkspace((state) => state.run.steps.length > 0);
  const isCompleted = useWorkspace(({ run }) => run.outcome === 'completed');
  // On a phone the line of a completed run is its result, and one press opens it.
  const result = mobile && isCompleted ? messages.findLast(({ isAI, stepId }) => isAI && stepId) : undefined;
  const newest = result ?? messages.findLast((message) => !isPanelMessage(message));
  const last = newest && rowOf(newest);
  const open = () => show(result ? { console: 'open', tab: 'communication', messageId: result.id } : { console: 'open' });
  return (
    <section className={`${panel.panel} ${styles.bar}`} aria-label={t('title')} data-panel data-testid="console-bar">
      <button type="button" className={styles.opener} aria-expanded={false} onClick={open}>
        <Terminal size={16} aria-hidden />
        <span className="visually-hidden">{t('open')} </span>
        {!mobile && <strong aria-hidden>{t('title')}</strong>}
        {!mobile && <span className={panel.divider} />}
        <span className={styles.last}>
          {last ? (
            <>
              {last.from && (
                <span className={styles.route}>
                  <time dateTime={last.message.timestamp}>{formatClock(last.message.timestamp, language)}</time>
                  <PartyChip party={last.from} filled compact={mobile} />
                  {last.to && (
                    <>
                      <ArrowRight size={14} aria-hidden />
                      <PartyChip party={last.to} filled compact={mobile} />
                    </>
                  )}
                </span>
              )}
              {!last.from && <time dateTime={last.message.timestamp}>{formatClock(last.message.timestamp, language)}</time>}
              <span className={styles.saying}>{textOf(last.message)}</span>
            </>
          ) : (
            <span className={styles.saying}>{t('bar.empty')}</span>
          )}
        </span>
      </button>
      {!mobile && messages.length > 0 && (
        <button type="button" className={styles.door} onClick={() => show({ console: 'open', tab: 'communication' })}>
          {t('bar.communication')} <span>{messages.length}</span>
        </button>
      )}
      {!mobile && ran && (
        <button type="button" className={styles.door} onClick={() => show({ console: 'open', tab: 'summary' })}>
          {t('bar.summary')}
        </button>
      )}
      {!mobile && <Kbd keys={shortcutOf('toggleConsole')} />}
      <ChevronUp size={18} className={styles.up} aria-hidden />
    </section>
  );
}
