import { AnimatePresence } from 'framer-motion';
import { Suspense, useState } from 'react';
import type { ResultItem } from '../../../../contract/executions/result.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { History, RefreshCw } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { Loading, LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { EmptyState } from '../lists/empty-state.tsx';
import styles from './history.module.css';
import { HistoryItem } from './history-item.tsx';
import { historyPage, pageSize, pressCounter } from './history-page.ts';
import { HistoryTools } from './history-tools.tsx';
import { historyTree } from './history-tree.ts';
import { useHistoryTrigger } from './history-trigger.ts';
import { useHistorySearch } from './use-history-search.ts';

const TriggerFilter = lazyPart(() => import('./trigger-filter.tsx').then((file) => file.TriggerFilter));
const NoneOfTrigger = lazyPart(() => import('./trigger-filter.tsx').then((file) => file.NoneOfTrigger));

/** The search and the runs, a page at a time. `wide` is the console's form. */
export function HistoryList({ wide = false }: { wide?: boolean }) {
  const { t } = useTranslation('workspace');
  const problemText = useProblemText();
  const { items, whole, status, error } = useWorkspace((state) => state.history);
  const [query, setQuery] = useState('');
  const ofTrigger = useHistoryTrigger();
  const search = useHistorySearch(query, ofTrigger?.id ?? null);
  const page = useHistoryPage(search.found, wide ? 'console' : 'panel');
  const { isReloading, reload } = useReload();
  const isSearch = query.trim() !== '' || ofTrigger !== null;
  const total = whole ? items.length : `${items.length}+`;
  const foundText = whole ? t('history.found', { found: search.found.length, total }) : t('history.foundCount', { count: search.total });
  const problem = error && (
    <LoadProblem className={styles.problem} text={problemText(error)} retry={t('words:retry')} busy={isReloading} onRetry={reload} />
  );

  if (problem && items.length === 0) return problem;
  if (status === 'loading' && !isReloading && items.length === 0) return <Loading className={styles.loading} text={t('history.loading')} />;
  if (items.length === 0) return <EmptyHistory isReloading={isReloading} onReload={reload} />;
  return (
    <div className={styles.body} data-wide={wide || undefined}>
      <HistoryTools
        query={query}
        onQuery={(text) => {
          setQuery(text);
          page.showFirst();
        }}
        count={isSearch ? foundText : t('history.shown', { found: page.shown, total })}
        reloading={status === 'loading'}
        onReload={reload}
      />
      {(ofTrigger !== null || items.some(({ trigger }) => trigger)) && (
        <Suspense fallback={null}>
          <TriggerFilter />
        </Suspense>
      )}
      {problem}
      <ChoosingNote />
      <ul className={styles.list}>
        <AnimatePresence initial={false}>
          {historyTree(search.found.slice(0, page.shown)).map(({ item, depth }) => (
            <HistoryItem key={item.id} item={item} depth={depth} query={query} onRemoved={search.removed} />
          ))}
        </AnimatePresence>
        <SearchRow query={query.trim()} search={search} />
        <PageRow page={page} isSearch={isSearch} />
      </ul>
    </div>
  );
}

/** Returns how many runs are shown, and what shows more or the first ones. A run that another part of the workspace opens is shown. */
function useHistoryPage(found: readonly ResultItem[], place: 'console' | 'panel') {
  const { historyItemId } = usePanels().panels;
  const [{ count, openId }, setWanted] = useState<{ count: number; openId: string | null }>({ count: pageSize, openId: null });
  const page = historyPage(found.length, count, place);
  // An item that another part of the workspace opens may be further down than the page reaches.
  if (openId !== historyItemId) {
    const at = found.findIndex(({ id }) => id === historyItemId);
    setWanted({ count: at >= page.shown ? at + 1 : count, openId: historyItemId });
  }
  const [counts] = useState(() => pressCounter(() => performance.now()));
  const showMore = () => counts() && setWanted({ count: page.shown + pageSize, openId });
  const showFirst = () => setWanted({ count: pageSize, openId });
  return { ...page, showMore, showFirst };
}

function useReload() {
  const dispatch = useDispatch();
  const [isReloading, setReloading] = useState(false);
  const reload = () => {
    setReloading(true);
    void dispatch({ type: 'history.reload' }).finally(() => setReloading(false));
  };
  return { isReloading, reload };
}

function EmptyHistory({ isReloading, onReload }: { isReloading: boolean; onReload: () => void }) {
  const { t } = useTranslation('workspace');
  return (
    <EmptyState
      icon={<History size={19} aria-hidden />}
      title={t('history.emptyTitle')}
      action={
        <Button size="s" busy={isReloading} icon={<RefreshCw size={14} aria-hidden />} onClick={onReload}>
          {t('words:refresh')}
        </Button>
      }
    >
      {t('history.empty')}
    </EmptyState>
  );
}

/** While a run is chosen for a comparison: says so, with the way out. */
function ChoosingNote() {
  const { t } = useTranslation('rerun');
  const { panels, show } = usePanels();
  if (panels.compareFrom === null) return null;
  return (
    <div className={styles.choosing}>
      <p role="status">{t('choosingOther')}</p>
      <Button size="s" variant="ghost" onClick={() => show({ compareFrom: null })}>
        {t('cancelChoosing')}
      </Button>
    </div>
  );
}

/** Below the runs: how the search of older ones goes, or that there are none. */
function SearchRow({ query, search }: { query: string; search: ReturnType<typeof useHistorySearch> }) {
  const { t } = useTranslation('workspace');
  const problemText = useProblemText();
  if (search.loading) {
    return (
      <li className={styles.loading} role="status">
        <Spinner size={16} /> {t('history.searchingOlder')}
      </li>
    );
  }
  if (search.problem) {
    return (
      <li className={styles.problem} role="alert">
        <p>{t('history.olderFailed', { reason: problemText(search.problem) })}</p>
        <Button size="s" onClick={search.again}>
          {t('words:retry')}
        </Button>
      </li>
    );
  }
  if (search.found.length > 0) return null;
  return <li className={styles.loading}>{query === '' ? <NoneOfTrigger /> : t('history.nothingFound', { query })}</li>;
}

/** The last row: shows more runs, or says that no more can be shown. */
function PageRow({ page: { more, max, showMore }, isSearch }: { page: ReturnType<typeof useHistoryPage>; isSearch: boolean }) {
  const { t } = useTranslation('workspace');
  if (more > 0) {
    return (
      <li>
        <Button wide onClick={showMore}>
          {t('words:showMore', { count: more })}
        </Button>
      </li>
    );
  }
  if (max === null) return null;
  return <li className={styles.loading}>{t(isSearch ? 'history.mostFound' : 'history.mostShown', { most: max })}</li>;
}
