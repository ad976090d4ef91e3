import { type ResultItem, resultStatus } from '../../../contract/result.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import { historyLength } from '../../model/reader.ts';
import { type Backend, isMissing } from './backends/port.ts';
import type { Environment } from './environment.ts';
import type { Store } from './store/store.ts';

/** A finished execution whose item still says "processing" is looked for again after this long, a few times. */
const settleAfterMs = 1_000;
const settleTries = 5;

/** Reads the project's history, newest first. A list that was read before stays when the server does not answer. */
export async function loadHistory(store: Store, backend: Backend): Promise<Problem | null> {
  const { project } = store.state;
  if (!project) return { code: 'workspace.opening' };
  const listed = await backend.listResults(project.id);
  store.update((draft) => {
    const { history } = draft;
    if (listed.ok) {
      const items = [...listed.value].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
      if (!isSameList(items, history.items)) history.items = items;
      history.whole = items.length < historyLength;
      history.status = 'ready';
      history.error = null;
    } else {
      if (history.status === 'loading') history.status = history.items.length > 0 ? 'ready' : 'failed';
      history.error = { code: 'history.loadFailed', params: { ...listed.fault.problem.params, cause: listed.fault.problem.code } };
    }
  });
  return listed.ok ? null : listed.fault.problem;
}

/** The same for somebody who has asked for it and sees that it is being read. */
export function reloadHistory(store: Store, backend: Backend): Promise<Problem | null> {
  store.update(({ history }) => {
    history.status = 'loading';
  });
  return loadHistory(store, backend);
}

/** Reads the history until it knows how an execution ended. */
export async function settleHistory(
  store: Store,
  backend: Backend,
  environment: Pick<Environment, 'later'>,
  executionId: string,
): Promise<void> {
  for (let tries = 0; tries < settleTries; tries += 1) {
    const problem = await loadHistory(store, backend);
    const item = store.state.history.items.find(({ pipelineExecutionId }) => pipelineExecutionId === executionId);
    if (!problem && item?.status !== resultStatus.processing) return;
    await new Promise<void>((resolve) => environment.later(settleAfterMs, resolve));
  }
}

export async function removeFromHistory(store: Store, backend: Backend, id: string): Promise<Outcome> {
  const removed = await backend.removeResult(id);
  if (!removed.ok && !isMissing(removed.fault)) return { ok: false, error: removed.fault.problem };
  store.update(({ history }) => {
    history.items = history.items.filter((item) => item.id !== id);
  });
  return { ok: true, value: undefined };
}

/** Items removed at the same time. */
const removedAtOnce = 4;

/** Removes every item whose run has ended, page after page; one that goes on stays. What could not be removed is there afterwards. */
export async function clearHistory(store: Store, backend: Backend): Promise<Outcome> {
  for (;;) {
    const ended = store.state.history.items.filter(({ status }) => status !== resultStatus.processing);
    if (ended.length === 0) return { ok: true, value: undefined };
    for (let at = 0; at < ended.length; at += removedAtOnce) {
      const removed = await Promise.all(ended.slice(at, at + removedAtOnce).map(({ id }) => removeFromHistory(store, backend, id)));
      const refused = removed.find((outcome) => !outcome.ok);
      if (refused) return refused;
    }
    // A list holds so many at most: there may be older ones.
    const problem = await loadHistory(store, backend);
    if (problem) return { ok: false, error: problem };
  }
}

function isSameList(a: readonly ResultItem[], b: readonly ResultItem[]): boolean {
  return a.length === b.length && a.every((item, index) => item.id === b[index]?.id && item.updatedAt === b[index]?.updatedAt);
}
