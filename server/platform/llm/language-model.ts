import type { Effort } from '../../../contract/agent.ts';
import type { LimitReached } from '../../../contract/budget.ts';
import type { TokenUsage } from '../../../contract/common.ts';
import type { Money } from '../../../contract/cost.ts';
import type { ModelErrorCode } from '../../../contract/errors.ts';
import type { TestCounts, TestRunFailure } from '../../../contract/executions/test-run.ts';
import type { Price } from '../../../rules/cost/cost-of.ts';

export type Language = 'ru' | 'en';

/**
 * The result of an earlier agent of the same run. `round`: that of its review loop, from 1; absent outside of one. `isCut`: a limit has ended it before
 * its end. `tests`: what was executed for it.
 */
export type EarlierResult = { title: string; role: string; text: string; round?: number; isCut?: true; tests?: readonly EarlierTests[] };

/** The execution of a project's tests for an earlier result: an exit code, or the `reason` for none, and the end of the log. */
export type EarlierTests = {
  /** Of a list; 0 for none. */
  item: number;
  command: string;
  exitCode: number | null;
  reason: TestRunFailure | null;
  /** What a command lacks that could not start; null for nothing. */
  missing: string | null;
  counts: TestCounts | null;
  /** Nothing was executed. */
  isSimulated: boolean;
  /** The agent had it executed in the middle of its step. */
  isByAgent: boolean;
  log: string;
};

/** What a turn must answer, and what it works on, in a run that is a graph. */
export type TurnInGraph = {
  /** The labels that the answer must choose from; empty where it has nothing to choose. */
  choices: { label: string; leadsBack: boolean }[];
  /** Whether another link is taken where the answer chooses none of them. */
  hasOtherwise: boolean;
  /** Other steps work through the answer as a list. */
  isList: boolean;
  /** The round of the review loop, from 0. */
  round: number;
  item: { text: string; number: number; of: number } | null;
  /** Results that a review loop handed on although they were not accepted. */
  notAccepted: { agent: string; rounds: number }[];
  /** The answer before this one named no choice. */
  isAskedAgain?: boolean;
  /** A person asks for another answer in the place of this draft. */
  revision?: { draft: string; note: string };
};

/** A tool that a model may call. */
export type ToolDefinition = {
  name: string;
  description: string;
  /** The JSON schema of the arguments, an object. */
  parameters: Readonly<Record<string, unknown>>;
  /** It belongs to a tool server and changes nothing. Told to the simulated model alone. */
  isServerRead?: boolean;
};

/** A call of a tool by a model. `arguments` is the text that the model wrote, JSON as a rule. */
export type ModelToolCall = { id: string; name: string; arguments: string };

/** An image for models that see. Without `base64` it is not sent again: its text says that it was there. */
export type ModelImage = { mime: string; base64: string };

/**
 * An earlier turn of the same step: what the model wrote, its calls, and their results as text, and as images for a model that sees. A turn without
 * calls was cut or paused: the model goes on with it.
 */
export type ModelTurn = {
  text: string;
  /** See `ModelAnswer.opaque`. */
  opaque?: string | null;
  /** Another model wrote it: its ids of calls may have a form that this one's server refuses. */
  isOthers?: true;
  calls: readonly (ModelToolCall & TurnResult)[];
};

/** `note`: the end of the result that stays when the result is left out. */
type TurnResult = { result: string; isError: boolean; images?: readonly ModelImage[]; note?: string };

/** The files that a user gave to a run: all by name, or by folder, and the texts of some. */
export type PromptFiles = {
  /** `encoding`: what a text was read as, unless it is plain UTF-8; `replaced` of its bytes are in no encoding. */
  files: PromptFile[];
  /** Of all files, also of those that are not listed. */
  count: number;
  /** Folders of files that are not listed, with the number of files in and below each; `left`: folders that are not named. */
  tree?: { folders: { path: string; files: number }[]; left: number };
  /** Files that are not listed and that the task names. */
  named?: PromptFile[];
  git: { url: string; ref: string; sha: string } | null;
  /** `bytes`: those of the whole text, where `text` is its beginning. */
  texts: { path: string; sha256: string; text: string; bytes?: number }[];
  /** Texts that were left out to fit the model's window. */
  textsLeftOut?: number;
  /** Images of the list for a model that sees, by path; absent for one that does not. */
  images?: readonly ModelImage[];
};

/** A file of a list. */
type PromptFile = { path: string; bytes: number; mime: string; isReadable: boolean; isImage?: true; encoding?: string; replaced?: number };

/** One question to a model: an agent's turn in a run. */
export type ModelRequest = {
  /** The agent's role by name, and its shown title. */
  role: string;
  agentTitle: string;
  systemPrompt: string;
  task: string;
  earlier: EarlierResult[];
  /** Text that users added during the run. */
  contexts: string[];
  inputs?: PromptFiles;
  language: Language;
  inGraph?: TurnInGraph;
  /** Tools that the model may call; absent for none. */
  tools?: readonly ToolDefinition[];
  /** Earlier turns of this step. */
  turns?: readonly ModelTurn[];
  /** What the model wrote about the turns before them, which are left out with so many results. */
  summary?: { text: string; results: number };
  /** The run has a base tree, which the file tools read. */
  hasBaseTree?: boolean;
  /**
   * The command whose result repeats a loop around the step, where it is executed and the loop is in its first round. Told to the simulated model alone,
   * which plants a failing test.
   */
  testedBy?: string;
  /** Null for the model's own default. */
  temperature: number | null;
  /** The longest answer (tokens); null for the model's own default. */
  maxTokens: number | null;
  /** Absent or null for the model's own default. */
  effort?: Effort | null;
  /** The same for all requests that begin alike: servers that cache prompts find them by it. */
  cacheKey?: string;
  /** The same for every attempt of one step, so that a server that knows the header executes it once. */
  idempotencyKey: string;
};

/**
 * `images`: of a user, after the text. `stable`: the length of the beginning of the text that stays the same over the agents of a run, for servers
 * that cache prompts up to a border; absent without one.
 */
export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string; images?: readonly ModelImage[]; stable?: number };

/**
 * A request to a model. To use another model than the agent's own, pass `Models.choose` the agent's settings with that model's
 * name.
 */
export type Conversation = Pick<
  ModelRequest,
  'tools' | 'turns' | 'temperature' | 'maxTokens' | 'effort' | 'cacheKey' | 'idempotencyKey'
> & {
  messages: readonly ChatMessage[];
  /** The role and the language of the simulated provider's answer. */
  speaker: Pick<ModelRequest, 'role' | 'agentTitle' | 'language'>;
  /** The agent's turn behind the messages, if there is one. */
  turn?: ModelRequest;
};

export type ModelAnswer = {
  /** Markdown, never blank unless the model calls tools. */
  text: string;
  /** Calls whose results the model needs before it goes on; absent at the end of the step's answer. */
  calls?: readonly ModelToolCall[];
  /** The model's thoughts before its answer; null if it reported none. Never blank. */
  thoughts: string | null;
  /** `length`: the limit of tokens or of the window cut the text off, or a call in it. `pause`: the model goes on when it gets its turn back. */
  finish: 'stop' | 'length' | 'pause';
  /**
   * The turn as the provider wants it back, with thinking, signatures and encrypted reasoning, as text: for the same provider, host and model only,
   * which check it. Absent where the text and the calls are all there is.
   */
  opaque?: string;
  usage: TokenUsage | null;
  /** What the server says that it has charged for the call; absent where it says nothing. */
  billed?: Money;
  /** The server has refused the effort that was asked for: the model has answered without it. */
  isWithoutEffort?: boolean;
  /** Text and reasoning as they came, before an agent's answer was split from its thoughts: parts of a cut answer are joined from them. */
  written?: { text: string; thoughts: string | null };
};

export type ModelFailure = {
  code: ModelErrorCode;
  /** Whether the same call may succeed on a retry. */
  transient: boolean;
  /** Whether one more call may succeed, and a further one is not worth its price. */
  isWorthOneMore?: true;
  /** The delay that the provider requested (ms). */
  retryAfterMs?: number;
  /** The host that failed, if it is not the model's host. */
  host?: string;
  /** The HTTP status, if there was a response. */
  status?: number;
  /** The limit of a budget that the call does not fit into, and what its run does then. */
  limit?: LimitReached;
  atLimit?: 'ask' | 'stop';
  /** Tokens that a prompt needs at the least, and those of the model's window, or of the one that it is loaded with; absent where its server does not tell them. */
  tokens?: { needed: number; window: number; isLoaded?: boolean };
  /** The other side's message, shortened and without secrets. */
  detail?: string;
  /** What the call has used; absent unless its answer had begun. */
  used?: UsedByFailure;
};

/** What a server has reported before its answer failed; null for nothing. `isWhole`: the answer had ended. */
export type UsedByFailure = { reported: TokenUsage | null; isWhole: boolean };

export type ModelOutcome = { ok: true; value: ModelAnswer } | { ok: false; error: ModelFailure };

/** Called with text that was added to the answer and to the provider's reasoning; either may be empty. */
export type OnText = (text: string, reasoning: string) => void;

/** Called with true when a call begins to wait for other calls, and with false when it is made. */
export type OnWait = (waits: boolean) => void;

/** Counts received text that is in memory until the call ends (UTF-16 units). Throws when the account's calls hold too much. */
export type Hold = (units: number) => void;

/** What each provider implements. */
export type ModelAdapter = {
  /** The provider's name: `openai`, `simulated`. */
  provider: string;
  model: string;
  simulated: boolean;
  /** True for a call with a key of the server. */
  usesOperatorKey?: boolean;
  /** Whether the model can call tools. */
  callsTools: boolean;
  /** Whether the model is given images. */
  sees: boolean;
  /** The most tokens of a prompt with its answer; null or absent where it is not known. */
  contextWindow?: number | null;
  /** What the list of the model's server tells of its price; absent where it tells nothing. */
  toldPrice?: Price;
  /** Reads the window that the model is loaded with; absent where that is no other one. Never rejects, and returns null for one that is not known. */
  readWindow?: (signal: AbortSignal) => Promise<number | null>;
  /** The called host, for messages; null when there is none. */
  host: string | null;
  /** Makes one attempt. The text is everything that the model wrote. Aborting `signal` ends the call with `aborted`. */
  converse: (conversation: Conversation, signal: AbortSignal, onText: OnText, onWait?: OnWait, hold?: Hold) => Promise<ModelOutcome>;
};

/** A model of any provider, for free conversations and for agents' turns in runs. */
export type LanguageModel = ModelAdapter & {
  /** Makes one attempt at an agent's turn. Calls `onText` with added thoughts and text, in order. */
  answer: (
    request: ModelRequest,
    signal: AbortSignal,
    onText: (text: string) => void,
    onWait?: OnWait,
    hold?: Hold,
  ) => Promise<ModelOutcome>;
};
