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

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/**
 * What a model is sent. For another model than the agent's own, give `Models.choose` the agent's settings with that
 * model's name in them.
 */
export type Conversation = Pick<ModelRequest, 'temperature' | 'maxTokens' | 'idempotencyKey'> & {
  messages: readonly ChatMessage[];
  /** Who is asked, and the language of the one who asks: the simulated provider answers in that role. */
  speaker: Pick<ModelRequest, 'role' | 'agentTitle' | 'language'>;
  /** The agent's turn that the messages were made of, where it is one. */
  turn?: ModelRequest;
};

export type ModelAnswer = {
  /** Markdown, never blank. */
  text: string;
  /** What the model thought before it answered; null where it told nothing. Never blank. */
  thoughts: string | null;
  /** `length` when the limit of tokens cut the text off. */
  finish: 'stop' | 'length';
  usage: TokenUsage | null;
};

export type ModelFailure = {
  code: ModelErrorCode;
  /** Whether the same call may succeed a moment later. */
  transient: boolean;
  /** What the other side asked us to wait (ms). */
  retryAfterMs?: number;
  /** The host that failed, where it is another than the model's. */
  host?: string;
  /** The HTTP status, where there was one. */
  status?: number;
  /** What the other side said, cut and without secrets. */
  detail?: string;
};

export type ModelOutcome = { ok: true; value: ModelAnswer } | { ok: false; error: ModelFailure };

/** Told what was added to the text, and to the provider's reasoning; either may be empty. */
export type OnText = (text: string, reasoning: string) => void;

/** What each provider brings. */
export type ModelAdapter = {
  /** Whose words these are: `openai`, `simulated`. */
  provider: string;
  model: string;
  simulated: boolean;
  /** The host that is called, for messages; null when none is. */
  host: string | null;
  /** One attempt. The answer's text is all that the model wrote. Aborting `signal` ends the call with `aborted`. */
  converse: (conversation: Conversation, signal: AbortSignal, onText: OnText) => Promise<ModelOutcome>;
};

/** A model behind one interface, whoever runs it: a free conversation, or an agent's turn in a run. */
export type LanguageModel = ModelAdapter & {
  /** One attempt at an agent's turn. Calls `onText` with what was added, thoughts and text in the order in which they come. */
  answer: (request: ModelRequest, signal: AbortSignal, onText: (text: string) => void) => Promise<ModelOutcome>;
};
