import { useCallback, useMemo, useState } from 'react';
import type { ResultItem } from '../../../../contract/executions/result.ts';
import type { Call } from '../../../model/call.ts';
import { searchHistory } from '../../../model/console/search-history.ts';
import { maxHistoryLength } from '../../../model/page-lengths.ts';
import type { Outcome } from '../../../model/problem.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { type RemoteData, useLoad } from '../../server-data/use-read.ts';

/** Older runs are requested after this time without typing or a change of the history (ms). */
const searchAfterMs = 300;

/** Characters that a search may have. */
const maxSearchLength = 200;

type Search = { text: string; triggerId: string | null };
type FoundResults = { items: ResultItem[]; total: number };

type HistorySearch = Pick<RemoteData<FoundResults>, 'problem' | 'loading' | 'again'> & {
  found: ResultItem[];
  /** The number of all matches, also of those that the server does not send. */
  total: number;
  /** Ignores answers that contain a removed run. */
  removed: (id: string) => void;
};

/** Returns the runs that match a query, and that a trigger has started if one is given; older runs of the server included. W2.18 */
export function useHistorySearch(query: string, triggerId: string | null): HistorySearch {
  const { items, whole } = useWorkspace((state) => state.history);
  const projectId = useWorkspace((state) => state.project?.id ?? null);
  const text = query.trim();
  // The server has older runs, and the whole of long results.
  const hasCutText = text !== '' && items.some(({ finalResultIsCut }) => finalResultIsCut);
  const reaches = hasCutText || ((text !== '' || triggerId !== null) && !whole);
  const subject = reaches ? `${projectId} ${triggerId} ${text}` : null;
  const newest = items[0]?.id;
  const wanted = useMemo(() => ({ subject, key: `${subject} ${items.length} ${newest}` }), [subject, items.length, newest]);
  const settled = useDebounced(wanted, searchAfterMs);
  const isSettled = settled.subject === subject;
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const { value, problem, loading, again } = useLoad(
    'result.search',
    isSettled ? subject : null,
    (call) => searchRuns(call, projectId ?? '', { text, triggerId }),
    { when: settled.key },
  );
  const found = useMemo(
    () => foundRuns(items, { answered: value?.items ?? null, gone, text, triggerId }),
    [items, value, gone, text, triggerId],
  );
  const total = found.length + (value ? value.total - value.items.length : 0);
  const removed = useCallback((id: string) => setGone((before) => new Set(before).add(id)), []);
  return { found, total, problem, loading: loading || (reaches && !isSettled), again, removed };
}

/** The newest runs that match, and how many there are in all. Where the server does not say it, those that it sent are all that is known. */
export async function searchRuns(call: Call, projectId: string, { text, triggerId }: Search): Promise<Outcome<FoundResults>> {
  const query = { q: text.slice(0, maxSearchLength), limit: maxHistoryLength, ...(triggerId !== null && { triggerId }) };
  const answer = await call('result.search', { params: { projectId }, query });
  if (!answer.ok) return answer;
  return { ok: true, value: { items: answer.value, total: answer.total ?? answer.value.length } };
}

/**
 * Returns the runs that contain a text: those that the page finds in the history, and those of the server's answer. The server
 * searches whole results and older runs.
 */
export function foundRuns(items: readonly ResultItem[], { answered, gone, text, triggerId }: FoundRuns): ResultItem[] {
  const found = new Set([...searchHistory(items, text), ...(answered ?? [])].map(({ id }) => id));
  const isOfTrigger = ({ trigger }: ResultItem) => triggerId === null || trigger?.id === triggerId;
  return withOlder(items, answered, gone).filter((item) => found.has(item.id) && isOfTrigger(item));
}

type FoundRuns = { answered: readonly ResultItem[] | null; gone: ReadonlySet<string>; text: string; triggerId: string | null };

/**
 * Merges the history with older runs of a search, each once, without those removed meanwhile. The history has every run that is newer
 * than its last.
 */
export function withOlder(items: readonly ResultItem[], older: readonly ResultItem[] | null, gone: ReadonlySet<string>): ResultItem[] {
  const last = items.at(-1);
  if (!older || !last) return [...items];
  const known = new Set(items.map(({ id }) => id));
  return [...items, ...older.filter(({ id, createdAt }) => createdAt <= last.createdAt && !known.has(id) && !gone.has(id))];
}
