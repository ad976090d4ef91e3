import { AnimatePresence } from 'framer-motion';
import { useState } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { History, RefreshCw } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { EmptyState } from '../lists/empty-state.tsx';
import { usePanels } from '../panels.tsx';
import styles from './history.module.css';
import { HistoryItem } from './history-item.tsx';
import { historyPage, pageSize, pressCounter } from './history-page.ts';
import { HistoryTools } from './history-tools.tsx';
import { historyTree } from './history-tree.ts';
import { useHistorySearch } from './use-history-search.ts';

/** The search and the runs, a page at a time. `wide` is the console's form. */
export function HistoryList({ wide = false }: { wide?: boolean }) {
  const { t } = useTranslation('workspace');
  const { t: again } = useTranslation('rerun');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const { items, whole, status, error } = useWorkspace((state) => state.history);
  const [query, setQuery] = useState('');
  const [shownCount, setShownCount] = useState(pageSize);
  const { found, total: foundInAll, removed, ...older } = useHistorySearch(query);
  const { panels, show } = usePanels();
  const { shown, more, max } = historyPage(found.length, shownCount, wide ? 'console' : 'panel');
  // An item that another part of the workspace opens may be further down than the page reaches.
  const [openId, setOpenId] = useState<string | null>(null);
  if (openId !== panels.historyItemId) {
    setOpenId(panels.historyItemId);
    const at = found.findIndex(({ id }) => id === panels.historyItemId);
    if (at >= shown) setShownCount(at + 1);
  }
  const total = whole ? items.length : `${items.length}+`;
  const foundText = whole ? t('history.found', { found: found.length, total }) : t('history.foundCount', { count: foundInAll });
  const count = query.trim() ? foundText : t('history.shown', { found: shown, total });
  const [counts] = useState(() => pressCounter(() => performance.now()));
  const showMore = () => {
    if (counts()) setShownCount(shown + pageSize);
  };
  const [asking, setAsking] = useState(false);
  const reload = () => {
    setAsking(true);
    void dispatch({ type: 'history.reload' }).finally(() => setAsking(false));
  };
  const problem = error && (
    <div className={styles.problem} role="alert">
      <p>{problemText(error)}</p>
      <Button size="s" busy={asking} onClick={reload}>
        {t('history.retry')}
      </Button>
    </div>
  );

  if (problem && items.length === 0) return problem;
  if (status === 'loading' && !asking && items.length === 0) {
    return (
      <p className={styles.loading} role="status">
        <Spinner size={16} /> {t('history.loading')}
      </p>
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState
        icon={<History size={19} aria-hidden />}
        title={t('history.emptyTitle')}
        action={
          <Button size="s" busy={asking} icon={<RefreshCw size={14} aria-hidden />} onClick={reload}>
            {t('history.refresh')}
          </Button>
        }
      >
        {t('history.empty')}
      </EmptyState>
    );
  }
  return (
    <div className={styles.body} data-wide={wide || undefined}>
      <HistoryTools
        query={query}
        onQuery={(text) => {
          setQuery(text);
          setShownCount(pageSize);
        }}
        count={count}
        reloading={status === 'loading'}
        onReload={reload}
      />
      {problem}
      {panels.compareFrom !== null && (
        <div className={styles.choosing}>
          <p role="status">{again('choosingOther')}</p>
          <Button size="s" variant="ghost" onClick={() => show({ compareFrom: null })}>
            {again('cancelChoosing')}
          </Button>
        </div>
      )}
      <ul className={styles.list}>
        <AnimatePresence initial={false}>
          {historyTree(found.slice(0, shown)).map(({ item, depth }) => (
            <HistoryItem key={item.id} item={item} depth={depth} query={query} onRemoved={removed} />
          ))}
        </AnimatePresence>
        {older.loading && (
          <li className={styles.loading} role="status">
            <Spinner size={16} /> {t('history.searchingOlder')}
          </li>
        )}
        {older.problem && (
          <li className={styles.problem} role="alert">
            <p>{t('history.olderFailed', { reason: problemText(older.problem) })}</p>
            <Button size="s" onClick={older.again}>
              {t('history.retry')}
            </Button>
          </li>
        )}
        {found.length === 0 && !older.loading && !older.problem && (
          <li className={styles.loading}>{t('history.nothingFound', { query: query.trim() })}</li>
        )}
        {more === 0 && max !== null && (
          <li className={styles.loading}>{t(query.trim() ? 'history.mostFound' : 'history.mostShown', { most: max })}</li>
        )}
        {more > 0 && (
          <li>
            <Button wide onClick={showMore}>
              {t('history.more', { count: more })}
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
}
