import type { EarlierRun, EditedRun, ForkPlan, ForkQuestion } from '../../../rules/run-graph/plan-fork.ts';
import { planFork } from '../../../rules/run-graph/plan-fork.ts';
import type { CompiledGraph } from '../../../rules/run-graph/run-graph.ts';
import type { StepState } from '../../../rules/run-graph/run-state.ts';
import type { Driven } from './drive-run.ts';
import type { Outcome } from './random-run.ts';
import { keyOf } from './reference-run.ts';

export type OutcomeOf = (nodeId: string, round: number, item: number) => Outcome;
export type VersionOf = (nodeId: string) => number;

/** What a step was asked, in short: the version of its prompt, and the results that it was given. */
export function askedOf(
  version: VersionOf,
  outcomeOf: OutcomeOf,
  { nodeId }: { nodeId: string },
  inputs: readonly string[][],
  item: string,
) {
  const results = inputs.map((group) => group.map((key) => [key, resultOf(outcomeOf, key)]));
  return JSON.stringify([version(nodeId), results, item]);
}

function resultOf(outcomeOf: OutcomeOf, key: string): string {
  const [nodeId = '', , round, , item] = key.split(' ');
  return outcomeOf(nodeId, Number(round), Number(item)).result;
}

/** The runs that wrote the files which a run has read, by their keys; null for a file whose writer is not known. */
type ReadsOf = (key: string) => readonly (string | null)[];

/** A run that was driven, as the original of a fork. */
function originalOf(driven: Driven, outcomeOf: OutcomeOf, readsOf: ReadsOf = () => []): EarlierRun[] {
  const written = new Map<EarlierRun, (EarlierRun | null)[]>();
  const runs = driven.steps.map((step): EarlierRun => {
    const { nodeId, round, item, status, choice, handOff = null } = step;
    const begunAt = driven.begun.indexOf(keyOf(nodeId, round, item));
    const readFrom: (EarlierRun | null)[] = [];
    const run = {
      ...{ nodeId, round, item, status, choice, handOff, result: outcomeOf(nodeId, round, item).result },
      ...{ begunAt, endedAt: begunAt, readFrom },
    };
    written.set(run, readFrom);
    return run;
  });
  const byKey = new Map(runs.map((run) => [keyOf(run.nodeId, run.round, run.item), run]));
  for (const [key, run] of byKey) written.get(run)?.push(...readsOf(key).map((one) => (one === null ? null : (byKey.get(one) ?? null))));
  return runs;
}

type Forking = Partial<Pick<ForkQuestion, 'from' | 'followsLinks'>> & {
  compiled: CompiledGraph;
  driven: Driven;
  task?: string;
  before: { outcomeOf: OutcomeOf; version: VersionOf };
  after: { outcomeOf: OutcomeOf; version: VersionOf };
  edits?: readonly EditedRun[];
  readsOf?: ReadsOf;
};

/** Plans a fork of a driven run. Inputs are compared as texts. */
export function forkOf({
  compiled,
  driven,
  task = '',
  before,
  after,
  from = null,
  edits = [],
  followsLinks = false,
  readsOf,
}: Forking): ForkPlan {
  const name = ({ nodeId, round, item }: Pick<StepState, 'nodeId' | 'round' | 'item'>) => keyOf(nodeId, round, item);
  const planning = planFork({
    ...{ compiled, task, earlier: originalOf(driven, before.outcomeOf, readsOf), from, edits, followsLinks, maxRuns: 10_000 },
    differs: ({ run, inputs }) => {
      const then = driven.inputs.get(name(run));
      if (!then) return 'unknown';
      const asked = askedOf(before.version, before.outcomeOf, run, then, driven.items.get(name(run)) ?? '');
      const groups = inputs.results.map((runs) => runs.map(name));
      const edited = edits.map((edit) => [name(edit), edit.result] as const);
      const outcomeOf: OutcomeOf = (...place) => {
        const own = before.outcomeOf(...place);
        const [, result = own.result] = edited.find(([key]) => key === keyOf(...place)) ?? [];
        return { ...own, result };
      };
      return askedOf(after.version, outcomeOf, run, groups, inputs.item?.text ?? '') === asked ? null : 'input';
    },
    choiceOf: ({ choice }) => choice,
    newId: name,
  });
  for (;;) {
    const next = planning.next();
    if (next.done) return next.value;
  }
}
