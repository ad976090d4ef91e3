import type { Draft } from 'immer';
import type { ExecutionEvent } from '../../../../contract/execution.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { LiveEvent, WorkspaceState } from '../../../model/workspace-state.ts';
import type { Environment } from '../environment.ts';
import { batchMs, type Store } from './store.ts';

/** Events kept, and characters of each. */
const mostEvents = 200;
const longestBody = 4_000;

/** Keeps what the server tells, for whoever wants to see it as it is. */
export class LiveLog {
  readonly #store: Store;
  readonly #environment: Pick<Environment, 'now' | 'newId' | 'later'>;
  readonly #known = new Set<string>();
  /** Messages that are not counted yet, and those of them that are to be written down. */
  #uncounted = 0;
  #unwritten: LiveEvent[] = [];
  #waits = false;

  constructor(store: Store, environment: Pick<Environment, 'now' | 'newId' | 'later'>) {
    this.#store = store;
    this.#environment = environment;
  }

  /** A message of the socket. Those that carry a run's event are written down with the event; partial texts are counted only. */
  heard(message: ServerMessage): void {
    this.#uncounted += 1;
    const isText = message.type === 'agent_thought' && message.partial;
    if (message.type !== 'pipeline_update' && !isText) {
      const at = new Date(this.#environment.now()).toISOString();
      this.#unwritten.push({ id: this.#environment.newId(), at, via: 'socket', type: message.type, seq: null, body: bodyOf(message) });
    }
    if (this.#waits) return;
    this.#waits = true;
    // Many messages a frame are one change.
    this.#environment.later(batchMs, () => {
      this.#waits = false;
      this.#store.update((draft) => this.#settle(draft));
    });
  }

  /** Events of a run, as a part of a change that is under way. */
  addTo(draft: Pick<Draft<WorkspaceState>, 'live'>, events: readonly ExecutionEvent[], via: LiveEvent['via']): void {
    this.#settle(draft);
    for (const event of events.slice(-mostEvents)) {
      const { executionId, seq, at, type } = event;
      this.#write(draft, { id: `${executionId}:${seq}`, at, via, type, seq, body: bodyOf(event) });
    }
  }

  #settle(draft: Pick<Draft<WorkspaceState>, 'live'>): void {
    if (this.#uncounted > 0) draft.live.received += this.#uncounted;
    for (const event of this.#unwritten) this.#write(draft, event);
    this.#uncounted = 0;
    this.#unwritten = [];
  }

  /** One comes and, of many, one goes: each is a small change. */
  #write({ live }: Pick<Draft<WorkspaceState>, 'live'>, event: LiveEvent): void {
    if (this.#known.has(event.id)) return;
    this.#known.add(event.id);
    live.events[live.next] = event;
    const oldest = live.events[live.next - mostEvents];
    if (oldest) {
      this.#known.delete(oldest.id);
      delete live.events[live.next - mostEvents];
    }
    live.next += 1;
  }
}

function bodyOf(value: ServerMessage | ExecutionEvent): string {
  const text = JSON.stringify(value, null, 2);
  return text.length > longestBody ? `${text.slice(0, longestBody).toWellFormed()}…` : text;
}
