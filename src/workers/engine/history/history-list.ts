import type { ResultItem } from '../../../../contract/executions/result.ts';
import { resultStatus } from '../../../../contract/executions/result-kinds.ts';
import { maxHistoryLength } from '../../../model/page-lengths.ts';
import { done, type Outcome, outcomeOf, type Problem } from '../../../model/problem.ts';
import { isMissing, refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';

/** The delay of a new read while the item of an ended run is still "processing" (ms); repeated a few times. */
const settleAfterMs = 1_000;
const maxSettleReadings = 5;

/** Items that this tab has removed. A reading that began before a removal may still list its item. */
const removedIds = new WeakMap<EngineContext, Set<string>>();

function removedBy(context: EngineContext): Set<string> {
  const known = removedIds.get(context) ?? new Set();
  removedIds.set(context, known);
  return known;
}

/** Reads the project's history, newest first. A list that was read before stays when the server does not answer. */
export async function loadHistory(context: EngineContext): Promise<Problem | null> {
  const { store, backend } = context;
  const { project } = store.state;
  if (!project) return { code: 'workspace.opening' };
  const listed = await backend.call('result.list', { params: { projectId: project.id }, query: { limit: maxHistoryLength } });
  store.update((draft) => {
    const { history } = draft;
    if (listed.ok) {
      const removed = removedBy(context);
      const items = listed.value.filter(({ id }) => !removed.has(id)).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
      if (!isSameList(items, history.items)) history.items = items;
      history.whole = listed.value.length < maxHistoryLength;
      history.status = 'ready';
      history.error = null;
    } else {
      if (history.status === 'loading') history.status = history.items.length > 0 ? 'ready' : 'failed';
      history.error = { code: 'history.loadFailed', params: { ...listed.fault.problem.params, cause: listed.fault.problem.code } };
    }
  });
  return listed.ok ? null : listed.fault.problem;
}

/** Reads the history at the user's request: the list shows that it is loading. */
export function reloadHistory(context: EngineContext): Promise<Problem | null> {
  context.store.update(({ history }) => {
    history.status = 'loading';
  });
  return loadHistory(context);
}

/** Reads the history until it knows how an execution ended. */
export async function settleHistory(context: EngineContext, executionId: string): Promise<void> {
  const { store, environment } = context;
  for (let reading = 0; reading < maxSettleReadings; reading += 1) {
    const problem = await loadHistory(context);
    const item = store.state.history.items.find(({ pipelineExecutionId }) => pipelineExecutionId === executionId);
    if (!problem && item?.status !== resultStatus.processing) return;
    await new Promise<void>((resolve) => environment.later(settleAfterMs, resolve));
  }
}

export async function removeFromHistory(context: EngineContext, id: string): Promise<Outcome> {
  const { store, backend } = context;
  const removed = await backend.call('result.remove', { params: { id } });
  if (!removed.ok && !isMissing(removed.fault)) return refusal(removed.fault);
  removedBy(context).add(id);
  store.update(({ history }) => {
    history.items = history.items.filter((item) => item.id !== id);
  });
  return done;
}

/** Items that are removed at the same time. */
const maxParallelRemovals = 4;

/** Removes every item whose run has ended, page after page. An item that could not be removed stays in the list. */
export async function clearHistory(context: EngineContext): Promise<Outcome> {
  const { store } = context;
  for (;;) {
    const ended = store.state.history.items.filter(({ status }) => status !== resultStatus.processing);
    if (ended.length === 0) return done;
    for (let at = 0; at < ended.length; at += maxParallelRemovals) {
      const removed = await Promise.all(ended.slice(at, at + maxParallelRemovals).map(({ id }) => removeFromHistory(context, id)));
      const refused = removed.find((outcome) => !outcome.ok);
      if (refused) return refused;
    }
    // The list has a maximum length: there may be older items.
    const problem = await loadHistory(context);
    if (problem) return outcomeOf(problem);
  }
}

function isSameList(a: readonly ResultItem[], b: readonly ResultItem[]): boolean {
  return a.length === b.length && a.every((item, index) => item.id === b[index]?.id && item.updatedAt === b[index]?.updatedAt);
}
