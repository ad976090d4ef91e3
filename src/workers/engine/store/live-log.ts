import type { Draft } from 'immer';
import { throttle } from '../../../../async/throttle.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { LiveEvent, WorkspaceState } from '../../../model/workspace-state.ts';
import type { Environment } from '../environment/environment.ts';
import { batchMs, type Store } from './store.ts';

/** The maximum of events, and of characters of each: they bound the memory of the live tab. */
const maxEvents = 200;
const maxBodyLength = 4_000;

/** Stores the newest raw messages of the server, for the console's live tab. */
export class LiveLog {
  readonly #environment: Pick<Environment, 'now' | 'newId' | 'later'>;
  readonly #known = new Set<string>();
  /** Messages that are not in the state yet: their number, and the stored ones. */
  #uncounted = 0;
  #unwritten: LiveEvent[] = [];
  /** Many messages within a frame are one change. */
  readonly #settleSoon: () => void;

  constructor(store: Store, environment: Pick<Environment, 'now' | 'newId' | 'later'>) {
    this.#environment = environment;
    const settle = () => store.update((draft) => this.#settle(draft));
    this.#settleSoon = throttle(settle, { ms: batchMs, leading: false, later: environment.later });
  }

  /** Adds a message of the socket. A run's event is stored with its message; partial texts are only counted. */
  heard(message: ServerMessage): void {
    this.#uncounted += 1;
    const isText = message.type === 'test_log' || (message.type === 'agent_thought' && message.partial);
    if (message.type !== 'pipeline_update' && !isText) {
      const at = new Date(this.#environment.now()).toISOString();
      this.#unwritten.push({ id: this.#environment.newId(), at, via: 'socket', type: message.type, seq: null, body: bodyOf(message) });
    }
    this.#settleSoon();
  }

  /** Events of a run, within a change of the store. */
  addTo(draft: Pick<Draft<WorkspaceState>, 'live'>, events: readonly ExecutionEvent[], via: LiveEvent['via']): void {
    this.#settle(draft);
    for (const event of events.slice(-maxEvents)) {
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

  /** Adds an event and removes the oldest one beyond the maximum, as two small patches. */
  #write({ live }: Pick<Draft<WorkspaceState>, 'live'>, event: LiveEvent): void {
    if (this.#known.has(event.id)) return;
    this.#known.add(event.id);
    live.events[live.next] = event;
    const oldest = live.events[live.next - maxEvents];
    if (oldest) {
      this.#known.delete(oldest.id);
      delete live.events[live.next - maxEvents];
    }
    live.next += 1;
  }
}

function bodyOf(value: ServerMessage | ExecutionEvent): string {
  const text = JSON.stringify(value, null, 2);
  return text.length > maxBodyLength ? `${text.slice(0, maxBodyLength).toWellFormed()}…` : text;
}
