import type { EndedStep } from '../bus/ended-step.ts';
import type { ModelObserver } from '../llm/observe-models.ts';

/** Records the server's work as spans. They never contain texts, keys, or addresses with their queries. */
export type Traces = {
  /** Starts the span of a request; the returned function ends it. `traceparent` joins it to the caller's trace. */
  request: (request: { method: string; route: string; requestId: string; traceparent: string | undefined }) => (status: number) => void;
  /** Records every model call as a span. A call of a run is in the trace of its execution, below its step. */
  modelCall: ModelObserver;
  /** Records a step of an execution. An execution's trace has the execution's id. */
  step: (ended: EndedStep) => void;
  /** Sends the remaining spans. */
  close: () => Promise<void>;
};
