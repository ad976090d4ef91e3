import type { ModelErrorCode } from '../../../contract/errors.ts';
import type { ExecutionStatus } from '../../../contract/executions/execution.ts';

/** The server's metrics for operators. They contain no data that identifies a user. */
export type Metrics = {
  requestEnded: (request: { method: string /** As the contract writes it. */; route: string; status: number; ms: number }) => void;
  /** The duration of a step on this node, with all its model calls and the waits between them. */
  stepEnded: (step: { provider: string; outcome: 'completed' | 'failed' | 'cancelled'; ms: number }) => void;
  /** One model call. */
  modelCalled: (call: { provider: string; outcome: 'answered' | ModelErrorCode | 'internal'; ms: number; tokens: Tokens | null }) => void;
  /** A call with an API key, and whether the key was accepted. */
  keyCalled: (outcome: KeyOutcome) => void;
  /** Registers functions that are called for current values at each scrape. */
  watch: (gauges: Gauges) => void;
  /** Returns all metrics in Prometheus' text format. */
  read: () => Promise<{ type: string; text: string }>;
  /** Ends what is measured without a call. */
  close: () => void;
};

/** `other_project`: an accepted key of one project was refused another one. */
export type KeyOutcome = 'accepted' | 'wrong' | 'not_allowed' | 'too_many' | 'other_project' | 'failed';

export type Tokens = { promptTokens: number; completionTokens: number };

export type Gauges = {
  /** Executions in the whole database by status. */
  executions: () => Promise<Record<ExecutionStatus, number>>;
  /** Executions on this node. */
  queue: () => { running: number; waiting: number };
  /** Commands to single agents on this node. */
  commands: () => { running: number; waiting: number };
  /** Dead letters in the whole database. */
  deadLetters: () => Promise<number>;
  /** Open WebSockets on this node. */
  sockets: () => number;
};
