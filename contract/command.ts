import { z } from 'zod';
import { entity, id, page, timestamp, tokenUsage, wordOrPlace } from './common.ts';
import { failure } from './errors.ts';

/** In the order of their numbers from 1: 2 is running, 3 completed, 4 failed. */
export const commandStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type CommandStatus = (typeof commandStatuses)[number];

/** Commands of one agent that run at the same time; further ones stay pending. */
export const maxCommandsOfAgent = 20;

/** Largest `parameters` and `data` of a command, as JSON text (characters). */
const maxExtraLength = 64 * 1024;
const small = (value: unknown) => (JSON.stringify(value) ?? '').length <= maxExtraLength;

const taskText = z.string().max(100_000).optional();
const ownProject = id.or(z.literal('default')).nullish();

/** With `parameters.executionId` the command joins the agent's step of that execution and makes no model call of its own. */
export const commandExecution = z.object({
  agentId: id,
  /** The command's text: a name such as `start_workflow`, or a task. */
  request: z.string().trim().min(1).max(20_000),
  projectId: ownProject,
  timestamp: timestamp.optional(),
  /** True responds immediately, as execute-async does. */
  async: z.boolean().default(false),
  initialTask: taskText,
  task: taskText,
  parameters: z
    .object({
      executionId: id.nullish(),
      /** One of several steps of the agent. By default the first that no command has joined. */
      stepId: id.nullish(),
      nodeId: z.string().max(200).nullish(),
    })
    .loose()
    .refine(small, { params: { rule: 'small' } })
    .optional(),
  data: z
    .unknown()
    .refine(small, { params: { rule: 'small' } })
    .optional(),
});

/** The state and result of a command. */
export const commandState = entity.extend({
  /** The same as `id`. */
  commandId: id,
  agentId: id,
  projectId: id.nullable(),
  /** The step that the command has joined. */
  executionId: id.nullable(),
  stepId: id.nullable(),
  kind: z.enum(['execute', 'openai']),
  status: z.enum(commandStatuses),
  /** Markdown. */
  result: z.string().nullable(),
  /** The same as `result`. */
  response: z.string().nullable(),
  error: failure.nullable(),
  /** 100 once the command is completed. */
  progress: z.number().min(0).max(100),
  executionTimeMs: z.number().int().min(0).nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  /** The model's limit ended `result` before its end, and it could not go on. */
  isUnfinished: z.literal(true).optional(),
  /** True when the simulated provider wrote `result`; shown wherever the text is. */
  simulated: z.boolean(),
  usage: tokenUsage.nullable(),
  attempts: z.number().int().min(0),
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
});
export type CommandState = z.infer<typeof commandState>;

/** A command in the history, with its request. Long tasks and results are cut. */
export const command = commandState.omit({ response: true }).extend({
  /** True when `result` is cut; the command's status has all of it. */
  resultIsCut: z.boolean().optional(),
  request: z.string(),
  timestamp,
  initialTask: z.string().nullable(),
  task: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()),
  data: z.unknown(),
});
export type Command = z.infer<typeof command>;

/** Other names of the statuses. */
const spellings = { success: 'completed', finished: 'completed', done: 'completed', error: 'failed', processing: 'running' } as const;

export const commandHistoryQuery = page.extend({ status: wordOrPlace(commandStatuses, spellings, 1).optional() });

const textPart = z.object({ type: z.literal('text'), text: z.string().max(200_000) });

/** A text, or its parts as OpenAI's clients may send it. */
const chatContent = z
  .union([z.string().max(200_000), z.array(textPart).max(100)])
  .transform((content) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')));

/** The request of OpenAI's chat completion. `model` is used when the agent's provider is openai; others use the agent's model. */
export const chatRequest = z.object({
  messages: z
    .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: chatContent }))
    .min(1)
    .max(500)
    .refine((messages) => messages.some(({ role, content }) => role === 'user' && content.trim() !== ''), {
      params: { rule: 'userMessage' },
    }),
  model: z.string().trim().min(1).max(200).optional(),
  max_tokens: z.number().int().min(1).max(8_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Not a field of OpenAI: the project whose history gets the command. */
  projectId: ownProject,
  /** The caller's own marks, as OpenAI's clients send them: kept with the command's parameters, and not shown to the model. */
  metadata: z
    .record(z.string().min(1).max(64), z.string().max(512))
    .refine((metadata) => Object.keys(metadata).length <= 16, { params: { rule: 'small' } })
    .optional(),
  /** Streaming is not supported. */
  stream: z.literal(false).optional(),
});

/** The response of OpenAI's chat completion. */
export const chatCompletion = z.object({
  /** The command's id, for the calls of commands. */
  id,
  commandId: id,
  object: z.literal('chat.completion'),
  /** Seconds since the epoch. */
  created: z.number().int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number().int(),
      message: z.object({ role: z.literal('assistant'), content: z.string() }),
      finish_reason: z.enum(['stop', 'length']),
    }),
  ),
  usage: z.object({ prompt_tokens: z.number().int(), completion_tokens: z.number().int(), total_tokens: z.number().int() }).nullable(),
  simulated: z.boolean(),
});
export type ChatCompletion = z.infer<typeof chatCompletion>;

const counted = z.number().int().min(0);

/** Whether an agent can begin with a command at once. */
export const agentAvailability = z.object({
  isAvailable: z.boolean(),
  /** 1 active, 0 inactive, 2 busy, also while it works. */
  status: z.literal([0, 1, 2]),
  /** When its work last began or ended. */
  lastSeen: timestamp.nullable(),
});
export type AgentAvailability = z.infer<typeof agentAvailability>;

export const agentLoad = z.object({
  /** Its running commands and steps. */
  currentLoad: counted,
  maxLoad: counted,
  /** 0 to 100. */
  loadPercentage: z.number().min(0).max(100),
});
export type AgentLoad = z.infer<typeof agentLoad>;
