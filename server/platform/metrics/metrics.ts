import type { ModelErrorCode } from '../../../contract/errors.ts';
import type { ExecutionStatus } from '../../../contract/execution.ts';

/** What the server counts and measures, for those who look after it. Nothing in it tells users apart. */
export type Metrics = {
  requestEnded: (request: { method: string /** As the contract writes it. */; route: string; status: number; ms: number }) => void;
  /** A step of an execution on this node, all its model calls and the waits between them included. */
  stepEnded: (step: { provider: string; outcome: 'completed' | 'failed' | 'cancelled'; ms: number }) => void;
  /** One call of a model. */
  modelCalled: (call: { provider: string; outcome: 'answered' | ModelErrorCode | 'internal'; ms: number; tokens: Tokens | null }) => void;
  /** From now on these are asked for what is true at the moment in which somebody reads. */
  watch: (gauges: Gauges) => void;
  /** All of it, as Prometheus reads it. */
  read: () => Promise<{ type: string; text: string }>;
};

export type Tokens = { promptTokens: number; completionTokens: number };

export type Gauges = {
  /** Executions of the whole database by their state. */
  executions: () => Promise<Record<ExecutionStatus, number>>;
  /** Executions on this node. */
  queue: () => { underWay: number; waiting: number };
  /** Commands to single agents on this node. */
  commands: () => { underWay: number; waiting: number };
  /** Open WebSockets on this node. */
  sockets: () => number;
};
