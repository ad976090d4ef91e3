import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { CheckedDocument, type Records, type ValidationProblem } from '../../../../rules/checked-document.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { isSame } from '../../../model/document/document-differences.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { listedProblems } from '../../../model/problem.ts';
import { canvasGraphProblems, changesRun } from '../../../model/run/plan/run-graph-plan.ts';
import type { Foreseen } from '../../../model/run/starters/foreseen-starters.ts';

import type { Environment } from '../environment/environment.ts';
import type { Store } from '../store/store.ts';
import type { Foresight } from './foresight.ts';

const checkAfterMs = 300;
/** Problems that are kept; of a canvas with more, the first ones. */
const maxProblems = listedProblems + 1;

/** Updates the list of problems, and what takes part in the next run, 300 ms after the last edit. The cost of the list depends on the size of the edits. */
export class DocumentCheck {
  readonly #store: Store;
  readonly #environment: Pick<Environment, 'later'>;
  readonly #knowsAgents: boolean;
  readonly #foresight: Foresight;
  #checked: { document: CheckedDocument; of: Store['document']; agents: unknown } | null = null;
  /** The records edited since the last check. */
  #edited = { nodes: new Set<string>(), links: new Set<string>() };
  /** The nodes and links with settings that change a run; a canvas without any is not checked as a graph. */
  readonly #settings = { nodes: new Set<string>(), links: new Set<string>() };
  #cancelTimer: (() => void) | null = null;

  constructor(
    store: Store,
    environment: Pick<Environment, 'later'>,
    { knowsAgents, foresight }: { knowsAgents: boolean; foresight: Foresight },
  ) {
    this.#store = store;
    this.#environment = environment;
    this.#knowsAgents = knowsAgents;
    this.#foresight = foresight;
  }

  /** `change`: the edited records. Without it the whole document is checked. */
  soon(change?: DocumentChange): void {
    if (!change) this.#checked = null;
    this.#foresight.changed(change);
    for (const { path } of change?.patches ?? []) this.#edited[path[0] === 'nodes' ? 'nodes' : 'links'].add(String(path[1]));
    this.#cancelTimer?.();
    this.#cancelTimer = this.#environment.later(checkAfterMs, () => this.now());
  }

  now(): void {
    const { agents, validation } = this.#store.state;
    const of = this.#store.document;
    const edited = this.#edited;
    this.#edited = { nodes: new Set(), links: new Set() };
    if (this.#checked?.of === of && this.#checked.agents === agents) {
      this.#checked.document.check(recordsAt(of.nodes, edited.nodes), recordsAt(of.connections, edited.links));
      note(this.#settings.nodes, recordsAt(of.nodes, edited.nodes));
      note(this.#settings.links, recordsAt(of.connections, edited.links));
    } else {
      for (const keys of Object.values(this.#settings)) keys.clear();
      note(this.#settings.nodes, Object.entries(of.nodes));
      note(this.#settings.links, Object.entries(of.connections));
      const list = this.#knowsAgents && agents.status === 'ready' ? serverAgents(agents) : null;
      this.#checked = { document: new CheckedDocument(list, Object.entries(of.nodes), Object.entries(of.connections)), of, agents };
    }
    const isGraph = this.#settings.nodes.size + this.#settings.links.size > 0;
    this.#foresight.show();
    const { document } = this.#checked;
    const listed = document.problems(maxProblems);
    const hasMore = listed.length === maxProblems && listed.at(-1)?.severity === 'error';
    const found = [...(isGraph ? canvasGraphProblems(of) : []), ...(hasMore ? document.problems() : listed)];
    const problems = hasMore ? this.#first(found) : found.slice(0, maxProblems);
    if (!isSame(problems, validation)) {
      this.#store.update((draft) => {
        draft.validation = problems;
      });
    }
  }

  /** The first problems, those of what takes part before all others: they prevent a run. */
  #first(found: readonly ValidationProblem[]): ValidationProblem[] {
    const { leftOutNodes, leftOutLinks } = this.#store.state.participation;
    const leftOut = new Set([...leftOutNodes, ...leftOutLinks]);
    const isOther = ({ nodeId, connectionId }: ValidationProblem) => leftOut.has(nodeId ?? connectionId ?? '');
    const rank = (problem: ValidationProblem) => Number(problem.severity !== 'error') * 2 + Number(isOther(problem));
    return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxProblems);
  }

  /** Says which dialog or start card the next run begins with. */
  foresee(starter: Foreseen): void {
    this.#foresight.foresee(starter);
    this.soon({ patches: [], inverse: [] });
  }

  close(): void {
    this.#cancelTimer?.();
    this.#foresight.close();
  }
}

function* recordsAt<T>(records: Readonly<Record<string, T>>, keys: Iterable<string>): Records<T> {
  for (const key of keys) yield [key, Object.hasOwn(records, key) ? records[key] : undefined];
}

/** Adds the keys of records that change a run, and removes those of the others. */
function note(keys: Set<string>, records: Records<CanvasNode | Connection>): void {
  for (const [key, record] of records) {
    if (record && changesRun(record)) keys.add(key);
    else keys.delete(key);
  }
}
