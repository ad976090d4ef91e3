import type { TokenUsage } from '../../../contract/common.ts';
import type { ModelErrorCode } from '../../../contract/errors.ts';

export type Language = 'ru' | 'en';

/** What an earlier agent of the same run left for this one. */
export type EarlierResult = { title: string; role: string; text: string };

/** One question to a model: an agent's turn in a run. */
export type ModelRequest = {
  /** The agent's role by name, and the title people see. */
  role: string;
  agentTitle: string;
  systemPrompt: string;
  task: string;
  earlier: EarlierResult[];
  /** Text that people added while the run was under way. */
  contexts: string[];
  language: Language;
  temperature: number;
  maxTokens: number;
  /** The same for every attempt of one step, so that a server that knows the header answers once. */
  idempotencyKey: string;
};

export type ModelAnswer = {
  /** Markdown, never blank. */
  text: string;
  usage: TokenUsage | null;
};

export type ModelFailure = {
  code: ModelErrorCode;
  /** Whether the same call may succeed a moment later. */
  transient: boolean;
  /** What the other side asked us to wait (ms). */
  retryAfterMs?: number;
  /** The HTTP status, where there was one. */
  status?: number;
  /** What the other side said, cut and without secrets. */
  detail?: string;
};

export type ModelOutcome = { ok: true; value: ModelAnswer } | { ok: false; error: ModelFailure };

/** A model behind one interface, whoever runs it. */
export type LanguageModel = {
  /** Whose words these are: `openai`, `simulated`. */
  provider: string;
  model: string;
  simulated: boolean;
  /** The host that is called, for messages; null when none is. */
  host: string | null;
  /** One attempt. Calls `onText` with the whole text so far as it grows. Aborting `signal` ends the call with `aborted`. */
  answer: (request: ModelRequest, signal: AbortSignal, onText: (text: string) => void) => Promise<ModelOutcome>;
};
