import { AnimatePresence } from 'framer-motion';
import { Suspense, useState } from 'react';
import { useImmer } from 'use-immer';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { History, RefreshCw } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { Loading, LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { EmptyState } from '../lists/empty-state.tsx';
import { usePanels } from '../panels.tsx';
import styles from './history.module.css';
import { HistoryItem } from './history-item.tsx';
import { historyPage, pageSize, pressCounter } from './history-page.ts';
import { HistoryTools } from './history-tools.tsx';
import { historyTree } from './history-tree.ts';
import { useHistoryTrigger } from './history-trigger.ts';
import { useHistorySearch } from './use-history-search.ts';

const TriggerFilter = lazyPart(() => import('./trigger-filter.tsx').then((file) => file.TriggerFilter));
const NoneOfTrigger = lazyPart(() => import('./trigger-filter.tsx').then((file) => file.NoneOfTrigger));

type ListState = { query: string; shownCount: number; openId: string | null; isReloading: boolean };

const atFirst: ListState = { query: '', shownCount: pageSize, openId: null, isReloading: false };

/** The search and the runs, a page at a time. `wide` is the console's form. */
export function HistoryList({ wide = false }: { wide?: boolean }) {
  const { t } = useTranslation('workspace');
  const { t: again } = useTranslation('rerun');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const { items, whole, status, error } = useWorkspace((state) => state.history);
  /** `shownCount`: the items that are shown. `openId`: the item that another part of the workspace opened last. */
  const [{ query, shownCount, openId, isReloading }, update] = useImmer(atFirst);
  const ofTrigger = useHistoryTrigger();
  const { found, total: foundInAll, removed, ...older } = useHistorySearch(query, ofTrigger?.id ?? null);
  const { panels, show } = usePanels();
  const { shown, more, max } = historyPage(found.length, shownCount, wide ? 'console' : 'panel');
  // An item that another part of the workspace opens may be further down than the page reaches.
  if (openId !== panels.historyItemId) {
    const at = found.findIndex(({ id }) => id === panels.historyItemId);
    update((draft) => {
      draft.openId = panels.historyItemId;
      if (at >= shown) draft.shownCount = at + 1;
    });
  }
  const total = whole ? items.length : `${items.length}+`;
  const foundText = whole ? t('history.found', { found: found.length, total }) : t('history.foundCount', { count: foundInAll });
  const isSearch = query.trim() !== '' || ofTrigger !== null;
  const count = isSearch ? foundText : t('history.shown', { found: shown, total });
  const [counts] = useState(() => pressCounter(() => performance.now()));
  const showMore = () => {
    if (!counts()) return;
    update((draft) => {
      draft.shownCount = shown + pageSize;
    });
  };
  const setReloading = (isReloading: boolean) =>
    update((draft) => {
      draft.isReloading = isReloading;
    });
  const reload = () => {
    setReloading(true);
    void dispatch({ type: 'history.reload' }).finally(() => setReloading(false));
  };
  const problem = error && (
    <LoadProblem className={styles.problem} text={problemText(error)} retry={t('words:retry')} busy={isReloading} onRetry={reload} />
  );

  if (problem && items.length === 0) return problem;
  if (status === 'loading' && !isReloading && items.length === 0) return <Loading className={styles.loading} text={t('history.loading')} />;
  if (items.length === 0) {
    return (
      <EmptyState
        icon={<History size={19} aria-hidden />}
        title={t('history.emptyTitle')}
        action={
          <Button size="s" busy={isReloading} icon={<RefreshCw size={14} aria-hidden />} onClick={reload}>
            {t('words:refresh')}
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
        onQuery={(text) =>
          update((draft) => {
            draft.query = text;
            draft.shownCount = pageSize;
          })
        }
        count={count}
        reloading={status === 'loading'}
        onReload={reload}
      />
      {(ofTrigger !== null || items.some(({ trigger }) => trigger)) && (
        <Suspense fallback={null}>
          <TriggerFilter />
        </Suspense>
      )}
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
              {t('words:retry')}
            </Button>
          </li>
        )}
        {found.length === 0 && !older.loading && !older.problem && (
          <li className={styles.loading}>{query.trim() === '' ? <NoneOfTrigger /> : t('history.nothingFound', { query: query.trim() })}</li>
        )}
        {more === 0 && max !== null && (
          <li className={styles.loading}>{t(isSearch ? 'history.mostFound' : 'history.mostShown', { most: max })}</li>
        )}
        {more > 0 && (
          <li>
            <Button wide onClick={showMore}>
              {t('words:showMore', { count: more })}
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
}
