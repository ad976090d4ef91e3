import { singleFlight } from '../../../../async/single-flight.ts';
import type { RunHolds } from '../../../../contract/executions/question.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { runLinksThrough } from '../../../model/run/plan/run-graph-plan.ts';
import { isUnderWay } from '../../../model/workspace-state.ts';
import { refusal } from '../backends/port.ts';
import { retryLostCall } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';

type HoldsOfRun = {
  /** Sets which links of the shown run hold. */
  set(holds: RunHolds): Promise<Outcome>;
  /** Applies holds that an edit has set on links of the canvas to the run that is under way. */
  follow(change: DocumentChange): void;
};

type Hold = RunHolds['links'][string];

/** The holds of the shown run. A call sends all of them, and one call is sent at a time, so that the newest choice is the last one sent. */
export function holdsOfRun(context: EngineContext): HoldsOfRun {
  const { store, backend, notices } = context;
  let wanted: { executionId: string; holds: RunHolds } | null = null;

  const send = singleFlight(
    async (): Promise<Outcome> => {
      const sent = wanted;
      if (!sent) return done;
      const answer = await retryLostCall(context, () =>
        backend.call('execution.setHolds', { params: { id: sent.executionId }, body: sent.holds }),
      );
      if (answer.ok)
        store.update(({ run: { execution } }) => {
          if (execution?.id === sent.executionId) execution.holds = sent.holds;
        });
      if (wanted === sent) wanted = null;
      return answer.ok ? done : refusal(answer.fault);
    },
    { rerun: true },
  );

  const set = (holds: RunHolds): Promise<Outcome> => {
    const { execution } = store.state.run;
    if (!execution) return Promise.resolve(failed('run.noExecution'));
    wanted = { executionId: execution.id, holds };
    return send();
  };

  return {
    set,
    follow(change) {
      const { execution } = store.state.run;
      if (!execution || !isUnderWay(execution)) return;
      const edited = changedHolds(change);
      const changed = edited.size === 0 ? [] : holdsInRun(context, edited);
      if (changed.length === 0) return;
      const { all, links } = (wanted?.executionId === execution.id ? wanted.holds : execution.holds) ?? { all: false, links: {} };
      void set({ all, links: { ...links, ...Object.fromEntries(changed) } }).then((outcome) => {
        if (!outcome.ok)
          notices.show({ code: 'run.holdsNotSet', params: { ...outcome.error.params, cause: outcome.error.code } }, 'error', true);
      });
    },
  };
}

/** The holds of links of the canvas, by the ids that these links have in the shown run. */
function holdsInRun({ store }: EngineContext, changed: ReadonlyMap<string, Hold>): [string, Hold][] {
  const { execution, steps, graph } = store.state.run;
  // The steps of a chain follow each other, also where other cards lie between them.
  const stepOf = new Map(steps.flatMap(({ nodeId, stepId }) => (nodeId === null ? [] : [[nodeId, stepId] as const])));
  const scope = { stepIds: [...stepOf.keys()], starterId: execution?.dialogNodeId ?? null };
  return runLinksThrough(store.document, new Set(changed.keys()), scope).map(({ linkId, link: { id, from, to } }) => {
    const idInRun = graph || id === linkId ? id : `${stepOf.get(from)}>${stepOf.get(to)}`;
    return [idInRun, changed.get(linkId) ?? 'never'];
  });
}

/** The links whose hold an edit has changed. */
function changedHolds({ patches, inverse }: DocumentChange): Map<string, Hold> {
  const changed = patches.flatMap(({ op, path, value }, at): [string, Hold][] => {
    if (op !== 'replace' || path[0] !== 'connections') return [];
    const now = holdOf(value);
    return now === holdOf(inverse[at]?.value) ? [] : [[String(path[1]), now ?? 'never']];
  });
  return new Map(changed);
}

function holdOf(link: { run?: LinkSettings } | undefined) {
  return link?.run?.hold;
}
