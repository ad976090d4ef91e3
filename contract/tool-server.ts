import { z } from 'zod';
import { entity, id, page, timestamp } from './common.ts';
import { toolEffects } from './executions/tool-call.ts';
import { projectId } from './project.ts';

/** The most servers of a project, tools of a server, and tools of an agent in one project. */
export const toolServerLimits = { servers: 20, tools: 200, agentTools: 20 } as const;

/**
 * `auto`: carried out at once, until results from outside are in the run; then a person is asked. `always`: carried out at once then, too.
 * `ask`: a person is asked before each call; `never`: refused to the model.
 */
export const toolPolicies = ['always', 'auto', 'ask', 'never'] as const;
export type ToolPolicy = (typeof toolPolicies)[number];

/**
 * How a tool server authenticates this server: not at all, by a key in a header, or by an OAuth token. The token is for client id and
 * secret (`client_credentials`), or for an account that a person has signed in to (`authorization_code`). Without a client id, this server
 * registers as a client. With a `tokenUrl` the client of a sign-in has a secret, which goes there only. Keys, secrets and tokens are never
 * returned.
 */
const toolServerAuth = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('key'), header: z.string() }),
  z.object({ kind: z.literal('client'), clientId: z.string(), tokenUrl: z.string(), scope: z.string() }),
  z.object({ kind: z.literal('account'), clientId: z.string(), scope: z.string(), tokenUrl: z.string().optional() }),
]);
export type ToolServerAuth = z.infer<typeof toolServerAuth>;

/** Why a server could not be asked for its tools. */
const toolServerProblems = [
  'host',
  'not_found',
  'unreachable',
  'untrusted',
  'timeout',
  'too_large',
  'redirect',
  'unauthorized',
  'status',
  'protocol',
  'no_tools',
  'key_unreadable',
  'token',
  'process',
  'busy',
  'sign_in',
  'client_refused',
  'other_token_address',
  'session_ended',
  'no_registration',
] as const;
export type ToolServerProblem = (typeof toolServerProblems)[number];

/** Why a tool of a server is not taken. */
const toolRefusals = ['name', 'duplicate', 'schema', 'too_large', 'too_many'] as const;
export type ToolRefusal = (typeof toolRefusals)[number];

/** A tool server of a project. Servers of the operator are in all projects; only the policies of their tools are the project's. */
export const toolServer = entity.extend({
  projectId: id,
  kind: z.enum(['http', 'operator']),
  name: z.string(),
  /** Null for a server of the operator. */
  url: z.string().nullable(),
  auth: toolServerAuth,
  /** There is a key, a secret, or a sign-in. */
  hasKey: z.boolean(),
  keyLast4: z.string().nullable(),
  /** When the tools were last asked for; null for a server that was not tested yet. */
  testedAt: timestamp.nullable(),
  /** Why the last test failed, in the caller's language; null after a success. Tools of earlier tests stay. */
  problem: z.object({ reason: z.enum(toolServerProblems), message: z.string() }).nullable(),
  /** What the server calls itself. Data of another side. */
  about: z.object({ name: z.string(), version: z.string() }).nullable(),
  /** Tools by state. */
  tools: z.object({ pinned: z.number().int(), changed: z.number().int(), missing: z.number().int() }),
  /** Tools of the last test that were not taken: the first fifty, and how many among the first thousand that the server lists. */
  refused: z.array(z.object({ name: z.string(), reason: z.enum(toolRefusals) })),
  refusedCount: z.number().int().min(0),
});
export type ToolServer = z.infer<typeof toolServer>;

const name = z.string().trim().min(1).max(60);
const url = z.string().trim().min(1).max(2_000);
const key = z
  .string()
  .trim()
  .min(1)
  .max(4_000)
  .regex(/^[!-~]+( [!-~]+)?$/);
/** Headers that a key may not be sent in: they have a meaning for the connection or the protocol. */
const reservedHeaders = [
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'cookie', 'expect', 'host', 'keep-alive', 'origin'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
];
const header = z
  .string()
  .trim()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9-]*$/)
  .refine((value) => !reservedHeaders.includes(value.toLowerCase()) && !/^mcp-/i.test(value), { params: { rule: 'reservedKey' } });

const scope = z
  .string()
  .trim()
  .max(500)
  .regex(/^[ -~]*$/)
  .default('');
const clientId = z
  .string()
  .trim()
  .max(500)
  .regex(/^[!-~]*$/);

/** Without `key` or `secret` the stored one stays, if the host is the same. So does a sign-in. A secret of its client needs the `tokenUrl`. */
const authUpdate = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('key'), header: header.default('Authorization'), key: key.optional() }),
  z.object({
    kind: z.literal('client'),
    clientId: clientId.min(1),
    tokenUrl: url,
    scope,
    secret: key.optional(),
  }),
  z.object({ kind: z.literal('account'), clientId: clientId.default(''), scope, tokenUrl: url.optional(), secret: key.optional() }),
]);

export const toolServerCreation = z.object({ name, url, auth: authUpdate.default({ kind: 'none' }) });
export type ToolServerCreation = z.input<typeof toolServerCreation>;

/** A field that is left out keeps its value. */
export const toolServerUpdate = z.object({ name: name.optional(), url: url.optional(), auth: authUpdate.optional() });

/** What a server says about a tool. All of it is data of another side. */
export const toolDefinition = z.object({
  title: z.string().nullable(),
  description: z.string(),
  /** The JSON schema of the arguments. */
  schema: z.record(z.string(), z.unknown()),
  /** By the server's own words: the tool changes nothing, may be repeated, destroys something, reaches an open world. */
  readOnly: z.boolean(),
  idempotent: z.boolean(),
  destructive: z.boolean(),
  openWorld: z.boolean(),
  /** About how many tokens each call of a model costs to which the tool is offered. */
  tokens: z.number().int().min(0),
  /** Of name, description, schema and what the tool says about its effects. */
  hash: z.string(),
});
export type ToolDefinition = z.infer<typeof toolDefinition>;

/**
 * - `pinned`: it may be called, as far as its policy allows.
 * - `changed`: the server describes it otherwise than a person has seen it, so it is off until a person accepts `change`.
 * - `missing`: the server no longer has it.
 */
const toolStates = ['pinned', 'changed', 'missing'] as const;

export const serverTool = z.object({
  id,
  serverId: id,
  /** The server's name for it, and the one by which models call it: unique in the project. */
  name: z.string(),
  callName: z.string(),
  /** What models are told. */
  definition: toolDefinition,
  effect: z.enum(toolEffects),
  policy: z.enum(toolPolicies),
  /** Policies that may be set: `always` and `auto` only for a tool that changes nothing. */
  policies: z.array(z.enum(toolPolicies)),
  state: z.enum(toolStates),
  /** What the server says now, with the differences in the format of `diff -u`; null unless changed. */
  change: z.object({ definition: toolDefinition, diff: z.string() }).nullable(),
  pinnedAt: timestamp,
});
export type ServerTool = z.infer<typeof serverTool>;

/** What a test has found: the server and its tools, also after a failure. */
export const toolServerTest = z.object({ server: toolServer, tools: z.array(serverTool) });
export type ToolServerTest = z.infer<typeof toolServerTest>;

export const toolPolicyChange = z.object({ policy: z.enum(toolPolicies) });

/** `hash`: of the definition that the person has seen. */
export const toolAcceptance = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) });

/** The tools that an agent may call in runs of a project. `tokens`: what their definitions cost in each call of its model. */
export const agentTools = z.object({ toolIds: z.array(id), tokens: z.number().int().min(0) });
export type AgentTools = z.infer<typeof agentTools>;

export const agentToolsUpdate = z.object({ toolIds: z.array(id).max(toolServerLimits.agentTools) });

/** A sign-in that has begun: the page where the person signs in, and its host. */
export const toolSignIn = z.object({ url: z.string(), host: z.string() });
export type ToolSignIn = z.infer<typeof toolSignIn>;

/** What the address has that the person came back to. */
export const toolSignInEnd = z.object({
  state: z.string().min(1).max(500),
  code: z.string().min(1).max(8_000),
  iss: z.string().max(2_000).optional(),
});
export type ToolSignInEnd = z.infer<typeof toolSignInEnd>;

/** Tools of all servers of a project, or of one. */
export const toolQuery = page.extend({ serverId: id.optional() });

export const byToolServer = z.object({ id: projectId, serverId: id });
export const byServerTool = z.object({ id: projectId, toolId: id });
export const byProjectAgent = z.object({ id: projectId, agentId: id });

/** Reasons to refuse a change of a tool server, a tool or an agent's tools. */
const toolChangeRefusals = [
  'address',
  'host',
  'token_address',
  'token_host',
  'key_missing',
  'client_missing',
  'server_limit',
  'operator',
  'not_read_only',
  'no_account',
  'sign_in_failed',
  'sign_in_expired',
] as const;
export type ToolChangeRefusal = (typeof toolChangeRefusals)[number];
