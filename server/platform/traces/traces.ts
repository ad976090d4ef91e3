import type { BusMessage } from '../bus/bus.ts';
import type { ModelWatcher } from '../llm/watched-models.ts';

/** What the server tells of its work, span by span. Texts, keys and addresses with their queries are never among it. */
export type Traces = {
  /** A request begins; what is answered ends its span. `traceparent` joins it to the caller's trace. */
  request: (request: { method: string; route: string; requestId: string; traceparent: string | undefined }) => (status: number) => void;
  /** Every call of a model is a span: in the trace of its execution, below its step, where it has one. */
  modelCall: ModelWatcher;
  /** Steps of executions, told by the events that this process publishes. An execution's trace has the execution's id. */
  message: (message: BusMessage) => void;
  /** Hands over what is left. */
  close: () => Promise<void>;
};
