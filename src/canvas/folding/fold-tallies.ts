import type { CanvasNode } from '../../../contract/canvas.ts';
import type { Cost, Money } from '../../../contract/cost.ts';
import type { StepRun } from '../../../contract/executions/execution.ts';
import { isAnnotation, isStarter } from '../../../rules/card.ts';
import { kindOf } from '../../../rules/node-kinds.ts';
import { stepCount } from '../../../rules/run-graph/step-count.ts';
import { type CardState, type CardView, idleCard, leftOutCard, outsideCard } from '../../model/card-view.ts';
import { showsNextRun } from '../../model/run/shown-on-canvas.ts';
import type { RunState } from '../../model/workspace-state.ts';
import type { FoldWords } from './fold-words.ts';
import type { FoldedGroup } from './folded-records.ts';
import type { Folding } from './folding.ts';

/** What a folded group tells of its cards in a run. `done` of `total` steps have a result; `asked`: the open questions. */
export type FoldTally = { count: number; done: number; total: number; asked: number; cost: Cost | null; view: CardView };

/** What one card adds to its group. `steps`: those of the card in `run`, the shown one. */
export type CardShare = { view: CardView | undefined; steps: readonly StepRun[]; run: RunState };

/** The states from the worst to the best. */
const worstFirst: readonly CardState[] = ['failed', 'stopped', 'active', 'paused', 'waiting', 'done', 'skipped', 'idle'];

type Sum = {
  done: number;
  total: number;
  asked: number;
  unknown: number;
  estimated: number;
  paid: number;
  leftOut: number;
  outside: number;
  cards: number;
};
type Counted = { sum: Sum; state: CardState | null; amounts: readonly Money[] };

/** The sums of folded groups over the cards that each is shown for. A change of a card adds and takes away what that card has. */
export class FoldTallies {
  readonly #counted = new Map<string, Counted>();
  readonly #groups = new Map<string, GroupSum>();
  #of: { folding: Folding; version: number } | null = null;

  /** Counts all cards anew where other cards are in folded groups than before. Returns whether it did. */
  follow(folding: Folding | null, shareOf: (nodeId: string) => CardShare): boolean {
    if (!folding && this.#groups.size === 0) return false;
    if (folding && this.#of?.folding === folding && this.#of.version === folding.version) return false;
    this.#of = folding && { folding, version: folding.version };
    this.#counted.clear();
    this.#groups.clear();
    for (const [groupId, members] of folding?.members ?? []) {
      const group = new GroupSum();
      this.#groups.set(groupId, group);
      for (const id of members) this.#count(group, id, shareOf(id));
    }
    return true;
  }

  /** Has all cards counted anew by the next `follow`. */
  forget(): void {
    this.#of = null;
  }

  /** Counts cards anew that a run has changed. Those that no folded group is shown for are ignored. */
  update(nodeIds: Iterable<string>, shareOf: (nodeId: string) => CardShare): void {
    for (const id of nodeIds) {
      const group = this.#groups.get(this.#of?.folding.shownAs(id) ?? '');
      if (group && this.#of?.folding.shownAs(id) !== id) this.#count(group, id, shareOf(id));
    }
  }

  /** Returns what a folded group shows; null for any other node. */
  of(groupId: string, count: number): FoldTally | null {
    return this.#groups.get(groupId)?.tally(count) ?? null;
  }

  #count(group: GroupSum, id: string, share: CardShare): void {
    const before = this.#counted.get(id);
    if (before) group.add(before, -1);
    const now = counted(share, this.#of?.folding.node(id));
    this.#counted.set(id, now);
    group.add(now, 1);
  }
}

/** Counts one folded group by itself. */
export function tallyOf(folding: Folding, group: FoldedGroup, shareOf: (nodeId: string) => CardShare): FoldTally {
  const sum = new GroupSum();
  for (const id of folding.members.get(group.id) ?? []) sum.add(counted(shareOf(id), folding.node(id)), 1);
  return sum.tally(group.folded.count);
}

/** What the list of cards says of a folded group. */
export function tallyWords({ count, done, total, asked, view }: FoldTally, words: FoldWords): string {
  const inRun = total > 0 ? [words.done(done, total), words.state(view.state)] : [];
  return [words.folded, words.cards(count), ...inRun, asked > 0 ? words.asked(asked) : ''].filter(Boolean).join(', ');
}

class GroupSum {
  readonly #sum: Sum = { done: 0, total: 0, asked: 0, unknown: 0, estimated: 0, paid: 0, leftOut: 0, outside: 0, cards: 0 };
  readonly #states = new Map<CardState, number>();
  readonly #micros = new Map<string, number>();

  add({ sum, state, amounts }: Counted, by: 1 | -1): void {
    for (const key of Object.keys(sum) as (keyof Sum)[]) this.#sum[key] += by * sum[key];
    if (state) this.#states.set(state, (this.#states.get(state) ?? 0) + by);
    for (const { currency, micros } of amounts) this.#micros.set(currency, (this.#micros.get(currency) ?? 0) + by * micros);
  }

  tally(count: number): FoldTally {
    const { done, total, asked } = this.#sum;
    return { count, done, total, asked, cost: this.#cost(), view: this.#view() };
  }

  /** A group is left out, or outside of a run, as all of its cards are. */
  #view(): CardView {
    const { leftOut, outside, cards } = this.#sum;
    if (cards > 0 && outside === cards) return outsideCard;
    if (cards > 0 && leftOut === cards) return leftOutCard;
    return { ...idleCard, state: worstState((state) => (this.#states.get(state) ?? 0) > 0) };
  }

  /** Null where no model was called. */
  #cost(): Cost | null {
    const { paid, unknown, estimated } = this.#sum;
    if (paid === 0) return null;
    const used = [...this.#micros].filter(([, micros]) => micros > 0).sort(([one], [other]) => (one < other ? -1 : 1));
    const cost: Cost = { amounts: used.map(([currency, micros]) => ({ currency, micros })) };
    if (unknown > 0) cost.isUnknown = true;
    if (estimated > 0) cost.isEstimated = true;
    return cost;
  }
}

/** Returns the worst of the states that a group has. */
export function worstState(has: (state: CardState) => boolean): CardState {
  return worstFirst.find(has) ?? 'idle';
}

function counted({ view, steps, run }: CardShare, node: CanvasNode | undefined): Counted {
  const costs = steps.flatMap(({ cost }) => cost ?? []);
  const { total, done } = stepCount(steps);
  return {
    sum: {
      done,
      total,
      asked: run.outcome ? 0 : steps.filter(({ status }) => status === 'waiting').length,
      unknown: costs.filter(({ isUnknown }) => isUnknown).length,
      estimated: costs.filter(({ isEstimated }) => isEstimated).length,
      paid: costs.filter(({ amounts, isUnknown }) => isUnknown || amounts.length > 0).length,
      leftOut: view?.isLeftOut ? 1 : 0,
      outside: view?.isOutside ? 1 : 0,
      cards: node && isInRuns(node, view, run) ? 1 : 0,
    },
    state: view && !view.isLeftOut ? view.state : null,
    amounts: costs.flatMap(({ amounts }) => amounts),
  };
}

/** Whether a card is part of a run, or is left out of it. A shown run passes by users' cards that are only shown, and disabled ones. */
function isInRuns(node: CanvasNode, view: CardView | undefined, run: RunState): boolean {
  if (isAnnotation(node)) return false;
  return view !== undefined || showsNextRun(run) || isStarter(node) || kindOf(node).run === 'trigger';
}
