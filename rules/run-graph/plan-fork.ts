import type { ForkReason, ForkState } from '../../contract/executions/fork.ts';
import { inputsOf, type StepInputs } from './inputs-of.ts';
import { type CompiledGraph, loopsAround, type Region, regionsAround } from './run-graph.ts';
import { isEnded, RunState, type StepState } from './run-state.ts';
import { type AddedRun, beginning, type RunFailure, settleRun } from './settle-run.ts';
import { hasResult } from './step-count.ts';

/** One run of a step in the original run. Its node is that of the fork's graph. */
export type EarlierRun = Pick<StepState, 'nodeId' | 'round' | 'item' | 'status' | 'choice' | 'handOff'> & {
  result: string;
  /** When it began and ended (ms): a step that begins with its first result got only results from before. */
  begunAt: number;
  endedAt: number;
  /** The runs that wrote the files which it has read; null for a file whose writer is not known or not part of the fork. */
  readFrom: readonly (EarlierRun | null)[];
};

type StepPosition = Pick<StepState, 'nodeId' | 'round' | 'item'>;
export type EditedRun = StepPosition & { result: string; choice: string | null };

export type ForkQuestion = {
  compiled: CompiledGraph;
  earlier: readonly EarlierRun[];
  /** The task of the run, and of the fork. */
  task: string;
  /** The run that the user has chosen to run again. */
  from: StepPosition | null;
  edits: readonly EditedRun[];
  /** Whether everything after a chosen or edited run runs again. Otherwise its input alone decides. */
  followsLinks: boolean;
  /** Whether a run is reused also where files that it has read are others now. */
  filesMayDiffer?: boolean;
  /** Why a run cannot be reused: null if it would be asked the same. */
  differs: (asked: AskedRun) => ForkReason | null;
  /** The case that a reused answer chooses in this graph. */
  choiceOf: (earlier: EarlierRun) => string | null;
  newId: (run: AddedRun) => string;
  maxRuns: number;
};

/** A run that could be reused, with the input that it would get from kept runs. */
export type AskedRun = {
  run: StepState;
  inputs: StepInputs;
  earlier: EarlierRun;
  state: RunState;
  /** What a run keeps, by its id; undefined for one that is not kept. */
  keptOf: (id: string) => Pick<PlannedRun, 'earlier' | 'edit'> | undefined;
};

/** One run of a step in the fork. `run` is as the fork begins; `earlier` is what it keeps, or what it did in the original. */
export type PlannedRun = { run: StepState; state: ForkState; reason: ForkReason; earlier: EarlierRun | null; edit: EditedRun | null };

export type ForkPlan = {
  runs: PlannedRun[];
  /** Runs of the original that the fork may repeat: other rounds and items, known only once earlier steps have ended. */
  later: EarlierRun[];
  /** The fork could not go on. */
  failure: RunFailure | null;
};

/**
 * Decides which results of a run a fork keeps. It carries the run out again with the earlier results, as far as they fit. A step that must
 * run never ends here, and so nothing that depends on it begins. It yields after each round of decisions, so that a caller can take turns
 * with other work.
 */
export function* planFork(question: ForkQuestion): Generator<void, ForkPlan> {
  const planning = new Planning(question);
  while (planning.advance()) yield;
  return planning.plan();
}

/** So many decisions are made before the caller can take turns. */
const decisionsAtOnce = 200;

class Planning {
  readonly #question: ForkQuestion;
  readonly #earlier: ReadonlyMap<string, EarlierRun>;
  readonly #edits: ReadonlyMap<string, EditedRun>;
  readonly #known: ReadonlySet<string>;
  /** All runs by id, in the order in which they came to be. */
  readonly #runs = new Map<string, StepState>();
  readonly #decided = new Map<string, Omit<PlannedRun, 'run'>>();
  readonly #byPlace = new Map<string, string>();
  /** Runs with an edited result, and skipped ones behind them. */
  readonly #edited = new Set<string>();
  /** Pending runs that may still be decided otherwise. */
  readonly #postponed = new Set<string>();
  #state: RunState;
  #failure: RunFailure | null = null;

  constructor(question: ForkQuestion) {
    this.#question = question;
    this.#earlier = new Map(question.earlier.map((run) => [placeOf(run), run]));
    this.#edits = new Map(question.edits.map((edit) => [placeOf(edit), edit]));
    this.#known = new Set(question.earlier.map(({ nodeId }) => nodeId));
    for (const { id } of question.compiled.graph.nodes) this.#put({ id, nodeId: id, round: 0, item: 0, status: 'pending', choice: null });
    this.#state = new RunState(question.compiled, this.#runs.values());
  }

  /** Decides what can be decided now. Returns false when nothing is left. */
  advance(): boolean {
    const { compiled, task, newId, maxRuns } = this.#question;
    const settled = settleRun({
      compiled,
      steps: [...this.#runs.values()],
      task,
      resultOf: this.#resultOf,
      newId,
      maxRuns,
      itemsAtOnce: Number.POSITIVE_INFINITY,
    });
    if (settled.failure) {
      this.#failure = settled.failure;
      return false;
    }
    for (const run of settled.itemized) {
      this.#byPlace.delete(placeOf({ ...run, item: 0 }));
      this.#put(run);
    }
    for (const added of settled.added) this.#put({ ...added, id: newId(added), status: 'pending', choice: null });
    for (const run of [...settled.skipped, ...settled.cancelled]) this.#cut(run);
    const { itemized, added, skipped, cancelled } = settled;
    this.#state = new RunState(compiled, this.#runs.values());
    const found = this.#sweep();
    return found || itemized.length + added.length + skipped.length + cancelled.length > 0 || this.#decidePostponed();
  }

  plan(): ForkPlan {
    const runs = [...this.#runs.values()].map((run): PlannedRun => {
      const decided = this.#decided.get(run.id) ?? this.#undecided(run);
      return { ...decided, run: run.status === 'running' ? { ...run, status: 'pending' } : run };
    });
    const nodes = new Set(this.#question.compiled.order);
    const later = [...this.#earlier].flatMap(([place, run]) => (nodes.has(run.nodeId) && !this.#byPlace.has(place) ? [run] : []));
    // A list whose items are not known has one run for all of them.
    return { runs, later: later.filter(({ status }) => status !== 'skipped'), failure: this.#failure };
  }

  /** Decides runs that can begin, each after those that lead to it. */
  #sweep(): boolean {
    let found = 0;
    // Another round of a loop may follow: what is behind the regions around it is decided once that is settled.
    const unsettled = new Set<Region>();
    const { compiled } = this.#question;
    const waits = (nodeId: string) =>
      unsettled.size > 0 &&
      compiled.incoming
        .get(nodeId)
        ?.some(({ from }) => regionsAround(compiled, from).some((region) => unsettled.has(region) && !region.nodes.has(nodeId)));
    for (const nodeId of compiled.order) {
      if (waits(nodeId)) continue;
      for (const run of this.#state.runsOf(nodeId)) {
        if (run.status !== 'pending' || this.#postponed.has(run.id)) continue;
        const begins = beginning(this.#state, run);
        if (begins === 'waits') continue;
        if (begins === 'skipped') this.#cut({ ...run, status: 'skipped' });
        else this.#decide(run);
        for (const region of regionsAround(compiled, nodeId)) unsettled.add(region);
        found += 1;
        if (found === decisionsAtOnce) return true;
      }
    }
    return found > 0;
  }

  #decide(run: StepState): void {
    const reason = this.#reasonFor(run);
    const earlier = this.#earlierOf(run);
    if (reason === null) this.#postponed.add(run.id);
    else if (earlier && reason === 'edited') {
      this.#edited.add(run.id);
      this.#keep(run, 'reused', reason, earlier, this.#edits.get(placeOf(run)) ?? null);
    } else if (earlier && reason === 'same') {
      const status = earlier.status === 'failed' ? 'failed' : 'reused';
      this.#keep({ ...run, choice: this.#question.choiceOf(earlier) }, status, reason, earlier, null);
    } else this.#again(run, reason);
  }

  /** Why a run is reused (`same`, `edited`), or runs again; null while that is not known. */
  #reasonFor(run: StepState): ForkReason | null {
    const { from, compiled, followsLinks, filesMayDiffer, differs } = this.#question;
    const place = placeOf(run);
    const earlier = this.#earlier.get(place);
    if (earlier && this.#edits.has(place)) return 'edited';
    if (from && placeOf(from) === place) return 'chosen';
    if (followsLinks && this.#isTainted(run)) return 'follows';
    const isFirst = compiled.nodes.get(run.nodeId)?.firstWins === true;
    const open = isFirst ? this.#openSources(run) : [];
    if (open.some(({ status }) => status === 'running')) return 'follows';
    if (open.length > 0) return null;
    if (!earlier || earlier.status === 'skipped') return 'follows';
    // Another step may be first again, as in the original.
    if (earlier.status === 'cancelled') return null;
    const isKept = earlier.status === 'failed' ? !this.#state.endsRun(run.nodeId) : hasResult(earlier.status);
    if (!isKept || earlier.handOff?.state === 'open') return 'unfinished';
    const inputs = this.#inputsOf(run, earlier, isFirst);
    const keptOf = (id: string) => this.#decided.get(id);
    return differs({ run, inputs, earlier, state: this.#state, keptOf }) ?? (filesMayDiffer ? 'same' : this.#filesReason(earlier));
  }

  /** What was put off is decided as far as it may be; what then still waits runs again. */
  #decidePostponed(): boolean {
    if (this.#postponed.size === 0) return false;
    const ids = [...this.#postponed];
    this.#postponed.clear();
    const still: string[] = [];
    let found = false;
    for (const id of ids) {
      const run = this.#runs.get(id);
      if (run?.status !== 'pending') continue;
      if (this.#earlier.get(placeOf(run))?.status === 'cancelled') this.#again(run, 'unfinished');
      else {
        this.#decide(run);
        if (this.#postponed.has(id)) {
          still.push(id);
          continue;
        }
      }
      found = true;
    }
    if (!found) {
      this.#postponed.clear();
      for (const id of still) this.#again(this.#runs.get(id) as StepState, 'follows');
      found = still.length > 0;
    }
    return found;
  }

  #inputsOf(run: StepState, earlier: EarlierRun, isFirst: boolean): StepInputs {
    const { compiled } = this.#question;
    const late = isFirst ? this.#sources(run).filter((one) => (this.#earlierOf(one)?.endedAt ?? 0) > earlier.begunAt) : [];
    for (const one of late) this.#state.add({ ...one, status: 'running' });
    const around = new Set(loopsAround(compiled, run.nodeId).flatMap(({ nodes }) => [...nodes]));
    const rounds = around.size === 0 ? [] : [...this.#runs.values()].filter(({ nodeId }) => around.has(nodeId));
    const inputs = inputsOf(this.#state, run, rounds, { task: this.#question.task, resultOf: this.#resultOf });
    for (const one of late) this.#state.add(one);
    return inputs;
  }

  #sources({ nodeId, item }: StepState): StepState[] {
    return (this.#question.compiled.incoming.get(nodeId) ?? []).flatMap((link) => this.#state.sourceRuns(link, item));
  }

  /** Sources that may still be first. One that another result has cut off then counts as cut off. */
  #openSources(run: StepState): StepState[] {
    return this.#sources(run).filter((one) => !isEnded(one.status) && this.#earlierOf(one)?.status !== 'cancelled');
  }

  #isTainted(run: StepState): boolean {
    if (this.#sources(run).some((one) => one.status === 'running' || this.#edited.has(one.id))) return true;
    const loop = regionsAround(this.#question.compiled, run.nodeId).find(({ kind, id }) => kind === 'loop' && id === run.nodeId);
    if (!loop || run.round === 0) return false;
    return [...this.#edited].some((id) => {
      const one = this.#runs.get(id);
      return one !== undefined && loop.nodes.has(one.nodeId) && (one.item === run.item || run.item === 0 || one.item === 0);
    });
  }

  /** `same` when the files that it has read are there again; null while their writers are not decided. */
  #filesReason({ readFrom }: EarlierRun): ForkReason | null {
    if (readFrom.includes(null)) return 'files';
    const reasons = readFrom.map((one) => (one && this.#decidedAt(one)?.reason) ?? null);
    if (reasons.every((reason) => reason === 'same')) return 'same';
    return reasons.some((reason) => reason !== null && reason !== 'same') ? 'files' : null;
  }

  #decidedAt(run: EarlierRun): Omit<PlannedRun, 'run'> | undefined {
    return this.#decided.get(this.#byPlace.get(placeOf(run)) ?? '');
  }

  #earlierOf(run: StepState): EarlierRun | undefined {
    return this.#earlier.get(placeOf(run));
  }

  readonly #resultOf = ({ id }: StepState): string => {
    const decided = this.#decided.get(id);
    return decided?.edit?.result ?? decided?.earlier?.result ?? '';
  };

  #keep(run: StepState, status: StepState['status'], reason: ForkReason, earlier: EarlierRun, edit: EditedRun | null): void {
    this.#decided.set(run.id, { state: 'reused', reason, earlier, edit });
    this.#put({ ...run, status, ...(edit && { choice: edit.choice }), handOff: edit ? null : (earlier.handOff ?? null) });
  }

  #again(run: StepState, reason: ForkReason): void {
    const isTold = reason === 'chosen' || this.#known.has(run.nodeId);
    this.#decided.set(run.id, { ...this.#undecided(run), ...(isTold && { reason }) });
    this.#put({ ...run, status: 'running' });
  }

  #undecided(run: StepState): Omit<PlannedRun, 'run'> {
    const isNew = !this.#known.has(run.nodeId);
    return { state: isNew ? 'new' : 'rerun', reason: isNew ? 'added' : 'follows', earlier: this.#earlierOf(run) ?? null, edit: null };
  }

  /** A run that never begins. One that was cut off in the original stays so. */
  #cut(run: StepState): void {
    const earlier = this.#earlierOf(run) ?? null;
    if (this.#sources(run).some(({ id }) => this.#edited.has(id))) this.#edited.add(run.id);
    this.#decided.set(run.id, { state: 'reused', reason: 'skipped', earlier, edit: null });
    this.#put({ ...run, status: earlier?.status === 'cancelled' ? 'cancelled' : run.status });
  }

  #put(run: StepState): void {
    this.#postponed.delete(run.id);
    this.#runs.set(run.id, run);
    this.#byPlace.set(placeOf(run), run.id);
    this.#state?.add(run);
  }
}

function placeOf({ nodeId, round, item }: StepPosition): string {
  return `${nodeId} ${round} ${item}`;
}
