import { useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArrowRight, Info, MessageCircle, OctagonX, Search, TriangleAlert, X } from '../../../ui/icons.ts';
import { EmptyState } from '../empty-state.tsx';
import { formatClock } from '../format-moment.ts';
import { usePanels } from '../panels.tsx';
import { SimulatedBadge } from '../simulated-badge.tsx';
import { useSurroundings } from '../workspace-context.ts';
import styles from './communication.module.css';
import { type CommunicationFilter, type CommunicationRow, filterRows, type Party } from './communication-rows.ts';
import { MessageDetails } from './message-details.tsx';
import { PartyChip } from './party-chip.tsx';
import { useCommunicationRows } from './use-communication-rows.ts';

/** Px from the end of the list within which it counts as being at the end. */
const endTolerance = 48;

/** Who said what to whom, and the whole of the chosen message beside it. */
export function Communication() {
  const { t } = useTranslation('console');
  const { panels, show } = usePanels();
  const { mobile } = useSurroundings();
  const { rows, textOf } = useCommunicationRows();
  const [query, setQuery] = useState('');
  const [filter, setFilter] = useState<CommunicationFilter>('all');
  const shown = useMemo(() => filterRows(rows, filter, query, textOf), [rows, filter, query, textOf]);
  const open = rows.find((row) => row.message.id === panels.messageId) ?? null;
  const list = useFollowEnd(shown.length);

  if (rows.length === 0) {
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
            <TextField
              label={t('communication.search', { count: rows.length })}
              labelHidden
              size={mobile ? 'xl' : 's'}
              placeholder={t('communication.search', { count: rows.length })}
              lead={<Search size={15} aria-hidden />}
              trail={
                query && <IconButton label={t('communication.clearSearch')} size={24} icon={<X size={14} />} onClick={() => setQuery('')} />
              }
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
            />
          </div>
          <Segmented
            label={t('communication.filter')}
            value={filter}
            options={[
              { value: 'all', label: t('communication.all') },
              { value: 'handoffs', label: t('communication.handoffs') },
              { value: 'system', label: t('communication.systemOnly') },
            ]}
            onChange={setFilter}
          />
          {!mobile && <Participants rows={rows} />}
        </div>
        <ol className={styles.list} ref={list} aria-label={t('communication.list')} data-testid="messages">
          {shown.map((row) => (
            <li key={row.message.id}>
              <MessageRow
                row={row}
                text={textOf(row)}
                open={row === open}
                onOpen={() => show({ messageId: row === open ? null : row.message.id })}
              />
            </li>
          ))}
          {shown.length === 0 && <li className={styles.nothing}>{t('communication.nothing')}</li>}
        </ol>
      </div>
      {open && <MessageDetails key={open.message.id} row={open} onClose={() => show({ messageId: null })} />}
    </div>
  );
}

function MessageRow({ row, text, open, onOpen }: { row: CommunicationRow; text: string; open: boolean; onOpen: () => void }) {
  const { t, language } = useTranslation('console');
  const problemText = useProblemText();
  const { message, from, to } = row;
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
      data-testid="message"
      onClick={onOpen}
    >
      <time dateTime={message.timestamp}>{formatClock(message.timestamp, language)}</time>
      {from ? (
        <span className={styles.route}>
          <PartyChip party={from} />
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
      <span className={styles.tokens} title={row.totalTokens === null ? undefined : t('tokens', { count: row.totalTokens })}>
        {row.totalTokens?.toLocaleString(language)}
      </span>
    </button>
  );
}

function Participants({ rows }: { rows: readonly CommunicationRow[] }) {
  const { t } = useTranslation('console');
  const parties = new Map<string, Party>();
  for (const row of rows) {
    for (const party of [row.from, row.to]) if (party?.kind === 'agent') parties.set(party.title, party);
  }
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

/** Keeps a growing list at its end while the reader is there, and leaves it alone while they read further up. */
function useFollowEnd(length: number) {
  const list = useRef<HTMLOListElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < endTolerance;
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the length is what the list grows by
  useEffect(() => {
    if (atEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [length]);
  return list;
}
