import {
  type CSSProperties,
  memo,
  type RefObject,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import { roleHue } from '../../../../model/agents/roles.ts';
import { innermostRound } from '../../../../model/card-view.ts';
import type { ConsoleMessage } from '../../../../model/workspace-state.ts';
import { SearchField } from '../../../../ui/controls/fields/search-field.tsx';
import { Segmented } from '../../../../ui/controls/fields/segmented.tsx';
import { useLateProblemText } from '../../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ArrowRight, Info, MessageCircle, OctagonX, TriangleAlert } from '../../../../ui/icons/icons.ts';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import { useCostText } from '../../budgets/use-cost-text.ts';
import { demoFinished } from '../../demo/demo-finished.ts';
import { TryYourself } from '../../demo/try-yourself.tsx';
import { usePanels } from '../../frame/panels.tsx';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { EmptyState } from '../../lists/empty-state.tsx';
import { useVirtualRows } from '../../lists/use-virtual-rows.ts';
import { SimulatedBadge } from '../../marks/simulated-badge.tsx';
import { StepMarkBadges } from '../../marks/step-mark-badges.tsx';
import { formatClock } from '../../time/format-moment.ts';
import styles from './communication.module.css';
import {
  type CommunicationFilter,
  type CommunicationRow,
  filterMessages,
  isPanelMessage,
  looksEqual,
  type Party,
} from './communication-rows.ts';
import { MessageDetails } from './message-details.tsx';
import { PartyChip } from './party-chip.tsx';
import { useConversation } from './use-conversation.ts';

const DemoAgain = lazyPart(() => import('../../demo/demo-again.tsx').then((file) => file.DemoAgain));

/** The distance from the end within which the list counts as being at the end (px). */
const endTolerance = 48;

/** The height of a row before it is measured (CSS px). */
const rowHeight = 45;
const rowHeightOnPhones = 76;

/** Lanes beside each other at the edge of the list: further ones share the last place. */
const lastLane = 3;

/** The list of messages, and the details of the chosen one. */
export const Communication = memo(CommunicationNow);

function CommunicationNow() {
  const { t } = useTranslation('console');
  const { panels, show } = usePanels();
  const { mobile, demo } = useWorkspaceContext();
  const { messages: all, textOf, rowOf } = useConversation();
  const messages = usePausedMessages(all, panels.isPaused);
  const [query, setQuery] = useState('');
  const [filter, setFilter] = useState<CommunicationFilter>(demo ? 'handoffs' : 'all');
  const wanted = useDeferredValue(query);
  const shown = useMemo(() => filterMessages(messages, filter, wanted, textOf), [messages, filter, wanted, textOf]);
  const openMessage = useMemo(() => messages.find(({ id }) => id === panels.messageId) ?? null, [messages, panels.messageId]);
  const open = openMessage && rowOf(openMessage);
  const keyOf = useCallback((index: number) => shown[index]?.id ?? '', [shown]);
  const { first, end, above, below, box, scroller, measure } = useVirtualRows(shown.length, mobile ? rowHeightOnPhones : rowHeight, keyOf);
  useFollowEnd(box, shown.length, below);

  if (messages.length === 0) {
    return (
      <EmptyState icon={<MessageCircle size={19} aria-hidden />} title={t('communication.emptyTitle')}>
        {t('communication.empty')}
      </EmptyState>
    );
  }
  if (mobile && open) return <MessageDetails row={open} onClose={() => show({ messageId: null })} />;
  return (
    <div className={styles.split}>
      <div className={styles.main}>
        <div className={styles.tools}>
          <div className={styles.search}>
            <SearchField
              label={t('communication.search', { count: messages.length })}
              size={mobile ? 'xl' : 's'}
              value={query}
              onSearch={setQuery}
            />
          </div>
          <Segmented
            label={t('communication.filter')}
            value={filter}
            options={[
              { value: 'all', label: t('words:all') },
              { value: 'handoffs', label: t('communication.handoffs') },
              { value: 'system', label: t('system') },
            ]}
            onChange={setFilter}
          />
          {!mobile && <Participants messages={messages} rowOf={rowOf} />}
        </div>
        <div className={styles.list} ref={scroller} data-testid="messages">
          <ol aria-label={t('words:messages')} style={{ paddingTop: above, paddingBottom: below }}>
            {shown.slice(first, end).map((message, index) => (
              <li key={message.id} ref={measure} data-row={message.id} aria-posinset={first + index + 1} aria-setsize={shown.length}>
                <MessageRow
                  row={rowOf(message)}
                  text={textOf(message)}
                  open={message === openMessage}
                  onOpen={() => show({ messageId: message === openMessage ? null : message.id })}
                />
                {message.event?.code === demoFinished && (
                  <div className={styles.onward}>
                    <TryYourself />
                    <Suspense fallback={null}>
                      <DemoAgain />
                    </Suspense>
                  </div>
                )}
              </li>
            ))}
            {shown.length === 0 && <li className={styles.nothing}>{t('communication.nothing')}</li>}
          </ol>
          {messages.every(isPanelMessage) && (
            <EmptyState icon={<MessageCircle size={19} aria-hidden />} title={t('communication.emptyTitle')}>
              {t('communication.empty')}
            </EmptyState>
          )}
        </div>
        {panels.isPaused && (
          <button type="button" className={styles.held} onClick={() => show({ isPaused: false })}>
            {t('communication.held', { count: Math.max(0, all.length - messages.length) })}
          </button>
        )}
      </div>
      {open && <MessageDetails key={open.message.id} row={open} onClose={() => show({ messageId: null })} />}
    </div>
  );
}

type MessageRowProps = { row: CommunicationRow; text: string; open: boolean; onOpen: () => void };

/** Rendered only when it changes: each ended step causes all rows to be computed again. */
const MessageRow = memo(
  MessageRowNow,
  (before, after) => before.text === after.text && before.open === after.open && looksEqual(before.row, after.row),
);

function MessageRowNow({ row, text, open, onOpen }: MessageRowProps) {
  const { t, language } = useTranslation('console');
  const costText = useCostText();
  const problemText = useLateProblemText();
  const { message, from, to, step, lane } = row;
  const lines = message.event?.details ?? [];
  const tone = message.isError ? 'error' : message.isWarning ? 'warning' : undefined;
  return (
    <button
      type="button"
      className={styles.row}
      aria-expanded={open}
      data-open={open || undefined}
      data-tone={tone}
      data-kind={from ? 'message' : 'event'}
      data-lane={lane ?? undefined}
      data-hue={lane === null ? undefined : roleHue(step?.role ?? '')}
      style={lane === null ? undefined : ({ '--lane': Math.min(lane, lastLane) } as CSSProperties)}
      data-testid="message"
      onClick={onOpen}
    >
      <time dateTime={message.timestamp}>{formatClock(message.timestamp, language)}</time>
      {from ? (
        <span className={styles.route}>
          <span className={styles.sender}>
            <PartyChip party={from} />
            {step && <Repetition step={step} />}
            {lane !== null && <span className="visually-hidden">{t('communication.lane', { number: lane + 1 })}</span>}
          </span>
          {to && (
            <>
              <ArrowRight size={15} className={styles.arrow} aria-label={t('to')} />
              <PartyChip party={to} />
            </>
          )}
        </span>
      ) : (
        <span className={styles.system}>
          {tone === 'error' ? (
            <OctagonX size={16} aria-hidden />
          ) : tone === 'warning' ? (
            <TriangleAlert size={16} aria-hidden />
          ) : (
            <Info size={16} aria-hidden />
          )}
          {t('system')}
        </span>
      )}
      <span className={styles.text} data-lines={lines.length > 0 || undefined}>
        {text}
        {lines.map((detail) => (
          <span key={`${detail.code} ${detail.params?.number}`}>{problemText(detail)}</span>
        ))}
      </span>
      {message.simulated && <SimulatedBadge />}
      {from && <StepMarkBadges marks={step?.marks} />}
      <span className={styles.tokens} title={row.totalTokens === null ? undefined : t('words:tokenCount', { count: row.totalTokens })}>
        {row.totalTokens?.toLocaleString(language)}
        {row.cost && (row.cost.amounts.length > 0 || row.cost.isUnknown) && <small>{costText(row.cost)}</small>}
      </span>
    </button>
  );
}

/** Which run of its step wrote a message, where there are several. */
function Repetition({ step: { round, item } }: { step: StepRun }) {
  const { t } = useTranslation('console');
  const words = [
    item ? t('summary.item', { number: item }) : '',
    round ? t('summary.round', { number: innermostRound(round) + 1 }) : '',
  ].filter(Boolean);
  return words.length > 0 && <span className={styles.repetition}>{words.join(' · ')}</span>;
}

function Participants({ messages, rowOf }: { messages: readonly ConsoleMessage[]; rowOf: (message: ConsoleMessage) => CommunicationRow }) {
  const { t } = useTranslation('console');
  const parties = useMemo(() => {
    const seen = new Set<string>();
    const found = new Map<string, Party>();
    for (const message of messages) {
      const pair = `${message.agentTitle}\n${message.toAgentTitle}`;
      if (seen.has(pair) || message.type !== 'message') continue;
      seen.add(pair);
      const { from, to } = rowOf(message);
      for (const party of [from, to]) if (party?.kind === 'agent') found.set(party.title, party);
    }
    return found;
  }, [messages, rowOf]);
  if (parties.size === 0) return null;
  return (
    <div className={styles.parties}>
      <span>{t('communication.between')}</span>
      {[...parties.values()].map((party) => (
        <span key={party.kind === 'agent' ? party.title : ''} title={party.kind === 'agent' ? party.title : ''}>
          <PartyChip party={party} compact />
        </span>
      ))}
    </div>
  );
}

/** Returns the messages, or those at the time when the list was paused. */
function usePausedMessages(messages: readonly ConsoleMessage[], isPaused: boolean): readonly ConsoleMessage[] {
  const atPause = useRef(messages);
  useEffect(() => {
    if (!isPaused) atPause.current = messages;
  }, [messages, isPaused]);
  return isPaused ? atPause.current : messages;
}

/** Keeps a growing list at its end, unless the user has scrolled up. */
function useFollowEnd(box: RefObject<HTMLElement | null>, length: number, below: number): void {
  const atEnd = useRef(true);
  const none = length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the box exists only while there are messages
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const note = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < endTolerance;
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [box, none]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the length changes with new messages, and `below` with the rows' heights
  useEffect(() => {
    if (atEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [box, length, below]);
}
