import { resolve } from 'node:path';
import { z } from 'zod';
import { email, isEmail } from '../contract/email.ts';
import { defaultPort } from './own-address.ts';
import { isTooWide } from './platform/egress/listed-hosts.ts';
import { HostList, type PrivateHosts } from './platform/egress/private-hosts.ts';
import { isHostItem, Proxies } from './platform/egress/proxies.ts';
import { providerAddresses } from './platform/llm/provider-addresses.ts';
import { isLoopbackHost } from './platform/loopback.ts';
import { localOrigins } from './platform/model-lists/local-servers.ts';

/** An operator's settings, read once from the environment. An empty variable counts as absent. */
export type Settings = {
  port: number;
  /** Whether the next free port does where this one is taken. */
  takesNextPort: boolean;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  natsUrl: string | null;
  publicUrl: string | null;
  smtpUrl: string | null;
  /** The bot by which people are told of events, with the address of the Bot API; null for none. */
  telegram: { url: string; token: string } | null;
  logLevel: LogLevel;
  testPages: boolean;
  metrics: 'loopback' | 'on' | 'off';
  metricsToken: string | null;
  /** What users may choose of private networks. */
  allowPrivateHosts: PrivateHosts;
  /** The proxies that calls of other servers go through. */
  proxies: Proxies;
  /** Whether Ollama and LM Studio on this machine may be found and called, on a server that only this machine reaches. */
  localModels: boolean;
  /** Hosts whose pages agents may read. */
  fetchHosts: readonly string[];
  /** The runner that executes tests; null for none. */
  runner: { url: string; token: string } | null;
  /** The longest time of a test command (s). */
  runnerSeconds: number;
  /** The file of tool servers that runs may start as processes; null for none. */
  toolServersFile: string | null;
  registration: 'open' | 'closed';
  staffEmails: readonly string[];
  realtime: 'auto' | 'off';
  /** Whether an access token in a WebSocket's address opens it; a ticket always does. */
  socketTokens: boolean;
  secretKey: string | null;
  /** Whether an answer that does not match its schema is a failed call: in development and tests. */
  checksAnswers: boolean;
  /** The time that the start waits for an unavailable database (s). */
  waitSeconds: number;
  /** The time that a stopping server still serves calls while it reports that it is not ready (s). */
  shutdownDelaySeconds: number;
  /** The time that running model calls then have, before their runs and commands return to the queue (s). */
  drainSeconds: number;
  /** Model calls with one key that one account makes at the same time, on this node; further ones wait. */
  callsPerKey: number;
  /** How long a simulated answer streams (ms). The default can be watched, and is soon over. */
  simulatedAnswerMs: number;
  /** The maximum of running executions of one account, on all nodes together; further ones wait. */
  accountRunsAtOnce: number;
  /** The maximum of started, unfinished executions of one account. */
  accountRunsStarted: number;
  /** The most bytes that one account stores; null for no limit. */
  maxAccountBytes: number | null;
  /** The most projects and pipelines of one account. */
  maxAccountProjects: number;
  maxAccountPipelines: number;
  /** What a repository that runs begin with has at most: files, and bytes of all of them together. */
  repositoryLimits: { files: number; bytes: number };
  /** With fewer bytes free on the disk of the embedded database, writes are refused; 0 for no floor. */
  minFreeBytes: number;
  /** The time that a run is kept after its end (days); null for no limit. */
  keepRunsDays: number | null;
  /** The time that events and turns of a run are kept after its end, and what was given up (days). */
  keepEventsDays: number;
  /** The time that all versions of a canvas are kept (days); afterwards marked ones and one a day. */
  keepVersionsDays: number;
  /** The most bytes of a project's versions. */
  maxVersionsBytes: number;
  /** The endpoint for traces; null for none. Its library reads the other standard `OTEL_*` variables. */
  tracesEndpoint: string | null;
  /** Whether the server looks for a newer release, once a day; `updateUrl`: the file it reads in place of the one of its repository. */
  updateCheck: boolean;
  updateUrl: string | null;
  trustProxy: boolean | number | readonly string[];
  allowedOrigins: readonly string[];
  openaiApiKey: string | null;
  openaiBaseUrl: string;
  anthropicApiKey: string | null;
  anthropicBaseUrl: string;
  /** The model of new agents on the keys above, with its provider before a colon where both could have it; null for a current one. */
  defaultModel: string | null;
  gigaChatAuthUrl: string;
  gigaChatScope: string;
  /** The operator's own prices; null for none. */
  pricesFile: string | null;
  /** Tokens that a user may spend a day on the keys above; 0 for any number. */
  dailyTokens: number;
  /** Tokens that all users together may spend a day on them; 0 for any number. */
  dailyTokensOfAll: number;
};

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const onOff = z.enum(['on', 'off', 'true', 'false', '1', '0', 'yes', 'no'], { error: 'must be on or off' });
const switchOf = (initial: 'on' | 'off') => onOff.default(initial).transform((value) => ['on', 'true', '1', 'yes'].includes(value));
const addressOf = (...schemes: string[]) =>
  z.string().refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)), {
    error: `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });
const modelAddress = addressOf('http', 'https').refine((value) => !/^\w+:\/\/[^/]*@/.test(value), {
  error: 'must hold no name and password',
});
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, { error: `must be one of ${values.join(', ')}` });
const origin = addressOf('http', 'https').transform((value) => new URL(value).origin);
const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const wholeNumberIn = ({ from, to }: { from: number; to: number }) =>
  z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to, {
      error: `must be a whole number from ${from} to ${to}`,
    })
    .transform(Number);
const wholeNumber = ({ initial, ...range }: { from: number; to: number; initial: number }) => wholeNumberIn(range).default(initial);

const tokens = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a number of tokens, or 0 for no limit')
  .transform(Number);

/** All users together may use as many tokens of the server's keys as so many users alone, unless the operator sets another number. */
const usersPerDay = 10;

/** Whether a text is a host as an address has it, with a port or not; `*.` before it stands for all hosts below it. */
const isHost = (value: string) => {
  const host = value.replace(/^\*\./, '');
  return URL.canParse(`https://${host}`) && new URL(`https://${host}`).host === host;
};

const hostList = z.string().transform((value, context) => {
  const hosts = HostList.from(list(value.toLowerCase()));
  if (hosts) return hosts;
  context.addIssue('must be a list of names, addresses and networks separated by commas, such as gitlab.firm.lan, 10.2.0.0/16');
  return z.NEVER;
});

/** Returns the address of a proxy; null for a text that is none. */
const proxyOf = (value: string): URL | null => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || !isEncoded(url.username) || !isEncoded(url.password)) return null;
  return url.pathname === '/' && url.search === '' && url.hash === '' ? url : null;
};
const isEncoded = (text: string) => !/%(?![\da-f]{2})/i.test(text) && isDecodable(text);
const isDecodable = (text: string) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};
const proxyForm = 'that begins with http:// or https://, with a port and nothing behind it, its name and password percent-encoded';
const proxyAddress = z.string().transform((value, context) => {
  const url = proxyOf(value);
  if (url) return url;
  context.addIssue(`must be the address of a proxy ${proxyForm}`);
  return z.NEVER;
});
const proxyHosts = z.string().transform((value, context) => {
  const hosts = list(value).map((item) => {
    const [host = '', ...rest] = item.split('=');
    const url = rest.join('=');
    return { host: host.trim(), url: url === 'direct' ? null : proxyOf(url), isKnown: url === 'direct' || proxyOf(url) !== null };
  });
  if (hosts.every(({ host, isKnown }) => isHostItem(host) && isKnown)) return hosts;
  context.addIssue(`must be a list such as api.openai.com=http://proxy:3128,example.org=direct; an address is one ${proxyForm}`);
  return z.NEVER;
});

const proxyRule = z.string().transform((value): Settings['trustProxy'] => {
  if (['on', 'true', 'yes'].includes(value)) return true;
  if (['off', 'false', 'no'].includes(value)) return false;
  return /^\d+$/.test(value) ? Number(value) : list(value);
});

const environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}\+?$/, 'must be a port number from 0 to 65535')
    .refine((port) => Number.parseInt(port, 10) <= 65_535, 'must be a port number from 0 to 65535')
    .default(String(defaultPort)),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: addressOf('postgres', 'postgresql').optional(),
  NATS_URL: z
    .string()
    .refine((value) => list(value).every((item) => URL.canParse(item) && /^(nats|tls|wss?):$/.test(new URL(item).protocol)), {
      error: 'must be an address that begins with nats://',
    })
    .optional(),
  PUBLIC_URL: origin.optional(),
  SMTP_URL: addressOf('smtp', 'smtps').optional(),
  ARTEL_TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d{1,20}:[\w-]{20,64}$/, 'must be the token of a bot, as BotFather gives it')
    .optional(),
  ARTEL_TELEGRAM_URL: modelAddress.default('https://api.telegram.org'),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  ARTEL_TEST_PAGES: switchOf('on'),
  ARTEL_METRICS: oneOf(['loopback', 'on', 'off']).default('loopback'),
  ARTEL_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  ARTEL_ALLOW_PRIVATE_HOSTS: hostList.optional(),
  ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: switchOf('off'),
  HTTPS_PROXY: proxyAddress.optional(),
  HTTP_PROXY: proxyAddress.optional(),
  NO_PROXY: z.string().default(''),
  ARTEL_PROXY_HOSTS: proxyHosts.default([]),
  ARTEL_PROXY_RESOLVES: switchOf('off'),
  ARTEL_LOCAL_MODELS: switchOf('on'),
  ARTEL_FETCH_HOSTS: z
    .string()
    .default('')
    .transform((value) => list(value.toLowerCase()))
    .refine((hosts) => hosts.every(isHost), { error: 'must be a list of hosts separated by commas, such as example.com, *.example.org' })
    .refine((hosts) => !hosts.some(isTooWide), { error: 'must not have *. before a public suffix, such as co.uk or github.io' }),
  ARTEL_RUNNER_URL: modelAddress.optional(),
  ARTEL_RUNNER_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  ARTEL_RUNNER_SECONDS: wholeNumber({ from: 1, to: 3_600, initial: 300 }),
  ARTEL_TOOL_SERVERS_FILE: z.string().optional(),
  ARTEL_REGISTRATION: oneOf(['open', 'closed']).default('open'),
  ARTEL_STAFF_EMAILS: z
    .string()
    .default('')
    .transform(list)
    .refine((emails) => emails.every(isEmail), { error: 'must be a list of email addresses separated by commas' })
    .pipe(z.array(email)),
  ARTEL_REALTIME: oneOf(['auto', 'off']).default('auto'),
  ARTEL_SOCKET_TOKENS: switchOf('on'),
  ARTEL_SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  ARTEL_SHUTDOWN_DELAY_SECONDS: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a number of seconds from 0 to 60')
    .transform(Number)
    .refine((seconds) => seconds <= 60, 'must be a number of seconds from 0 to 60')
    .default(0),
  ARTEL_WAIT_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of seconds from 0 to 600')
    .transform(Number)
    .refine((seconds) => seconds <= 600, 'must be a number of seconds from 0 to 600')
    .default(60),
  ARTEL_DRAIN_SECONDS: wholeNumber({ from: 0, to: 300, initial: 20 }),
  ARTEL_CALLS_PER_KEY: wholeNumber({ from: 1, to: 1_000, initial: 32 }),
  ARTEL_SIMULATED_ANSWER_MS: wholeNumber({ from: 0, to: 60_000, initial: 1_500 }),
  ARTEL_ACCOUNT_RUNS_AT_ONCE: wholeNumber({ from: 1, to: 5_000, initial: 16 }),
  ARTEL_ACCOUNT_RUNS_STARTED: wholeNumber({ from: 1, to: 1_000_000, initial: 1_000 }),
  ARTEL_ACCOUNT_MB: wholeNumber({ from: 0, to: 100_000_000, initial: 2_048 }),
  ARTEL_ACCOUNT_PROJECTS: wholeNumber({ from: 1, to: 1_000_000, initial: 500 }),
  ARTEL_ACCOUNT_PIPELINES: wholeNumber({ from: 1, to: 1_000_000, initial: 10_000 }),
  ARTEL_REPOSITORY_FILES: wholeNumber({ from: 1, to: 50_000, initial: 50_000 }),
  ARTEL_REPOSITORY_MIB: wholeNumber({ from: 1, to: 2_047, initial: 500 }),
  ARTEL_FREE_DISK_MB: wholeNumber({ from: 0, to: 100_000_000, initial: 512 }),
  ARTEL_KEEP_RUNS_DAYS: wholeNumberIn({ from: 1, to: 36_500 }).optional(),
  ARTEL_KEEP_EVENTS_DAYS: wholeNumber({ from: 1, to: 36_500, initial: 365 }),
  ARTEL_KEEP_VERSIONS_DAYS: wholeNumber({ from: 1, to: 36_500, initial: 30 }),
  ARTEL_VERSIONS_MB: wholeNumber({ from: 1, to: 100_000, initial: 128 }),
  OTEL_EXPORTER_OTLP_ENDPOINT: addressOf('http', 'https').optional(),
  ARTEL_UPDATE_CHECK: switchOf('on'),
  ARTEL_UPDATE_URL: modelAddress.optional(),
  TRUST_PROXY: proxyRule.default(false),
  ALLOWED_ORIGINS: z.string().default('').transform(list).pipe(z.array(origin)),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: modelAddress.default(providerAddresses.openai),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_BASE_URL: modelAddress.default(providerAddresses.anthropic),
  ARTEL_DEFAULT_MODEL: z.string().trim().min(1).max(200).optional(),
  GIGACHAT_AUTH_URL: modelAddress.default('https://ngw.devices.sberbank.ru:9443/api/v2/oauth'),
  GIGACHAT_SCOPE: oneOf(['GIGACHAT_API_PERS', 'GIGACHAT_API_B2B', 'GIGACHAT_API_CORP']).default('GIGACHAT_API_PERS'),
  ARTEL_PRICES_FILE: z.string().optional(),
  ARTEL_DAILY_TOKENS: tokens.default(1_000_000),
  ARTEL_DAILY_TOKENS_OF_ALL: tokens.optional(),
});

/** Variables that all programs share; also in lower case, which then counts. */
const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/** The names of Artel's own variables: no other program gets them. The last one is read by the library for traces. */
export const settingNames: readonly string[] = [
  ...Object.keys(environment.shape).filter((name) => !proxyNames.includes(name)),
  'OTEL_EXPORTER_OTLP_HEADERS',
];

/** A setting that cannot be used, in one line that names it. */
export class SettingsError extends Error {}

/** Reads the settings, or throws a SettingsError that names the first wrong one and never shows a secret's value. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const lower = proxyNames.map((name) => [name, env[name.toLowerCase()] || env[name]]);
  const all: Record<string, string | undefined> = { ...env, ...Object.fromEntries(lower) };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new SettingsError(`${String(issue?.path[0])} ${issue?.message}.`);
  }
  const values = parsed.data;
  if (values.DATABASE_URL !== undefined && values.ARTEL_SECRET_KEY === undefined) {
    throw new SettingsError(
      'ARTEL_SECRET_KEY must be set together with DATABASE_URL: it signs sessions and seals stored keys on every node.',
    );
  }
  const { ARTEL_RUNNER_URL: runnerUrl, ARTEL_RUNNER_TOKEN: runnerToken } = values;
  if (runnerUrl !== undefined && runnerToken === undefined) {
    throw new SettingsError('ARTEL_RUNNER_TOKEN must be set together with ARTEL_RUNNER_URL: a runner executes what it is sent.');
  }
  return {
    port: Number.parseInt(values.PORT, 10),
    takesNextPort: values.PORT.endsWith('+'),
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    natsUrl: values.NATS_URL ?? null,
    publicUrl: values.PUBLIC_URL ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    telegram: values.ARTEL_TELEGRAM_TOKEN === undefined ? null : { url: values.ARTEL_TELEGRAM_URL, token: values.ARTEL_TELEGRAM_TOKEN },
    logLevel: values.LOG_LEVEL,
    testPages: values.ARTEL_TEST_PAGES,
    metrics: values.ARTEL_METRICS,
    metricsToken: values.ARTEL_METRICS_TOKEN ?? null,
    allowPrivateHosts: values.ARTEL_ALLOW_PRIVATE_MODEL_HOSTS || (values.ARTEL_ALLOW_PRIVATE_HOSTS ?? false),
    proxies: new Proxies({
      https: values.HTTPS_PROXY ?? null,
      http: values.HTTP_PROXY ?? null,
      none: values.NO_PROXY,
      hosts: values.ARTEL_PROXY_HOSTS,
      resolves: values.ARTEL_PROXY_RESOLVES,
    }),
    localModels: values.ARTEL_LOCAL_MODELS,
    fetchHosts: values.ARTEL_FETCH_HOSTS,
    runner: runnerUrl !== undefined && runnerToken !== undefined ? { url: runnerUrl, token: runnerToken } : null,
    runnerSeconds: values.ARTEL_RUNNER_SECONDS,
    toolServersFile: values.ARTEL_TOOL_SERVERS_FILE === undefined ? null : resolve(values.ARTEL_TOOL_SERVERS_FILE),
    registration: values.ARTEL_REGISTRATION,
    staffEmails: values.ARTEL_STAFF_EMAILS,
    realtime: values.ARTEL_REALTIME,
    socketTokens: values.ARTEL_SOCKET_TOKENS,
    secretKey: values.ARTEL_SECRET_KEY ?? null,
    checksAnswers: given.NODE_ENV === 'test' || given.NODE_ENV === 'development',
    waitSeconds: values.ARTEL_WAIT_SECONDS,
    shutdownDelaySeconds: values.ARTEL_SHUTDOWN_DELAY_SECONDS,
    drainSeconds: values.ARTEL_DRAIN_SECONDS,
    callsPerKey: values.ARTEL_CALLS_PER_KEY,
    simulatedAnswerMs: values.ARTEL_SIMULATED_ANSWER_MS,
    accountRunsAtOnce: values.ARTEL_ACCOUNT_RUNS_AT_ONCE,
    accountRunsStarted: values.ARTEL_ACCOUNT_RUNS_STARTED,
    maxAccountBytes: values.ARTEL_ACCOUNT_MB === 0 ? null : values.ARTEL_ACCOUNT_MB * 1024 * 1024,
    maxAccountProjects: values.ARTEL_ACCOUNT_PROJECTS,
    maxAccountPipelines: values.ARTEL_ACCOUNT_PIPELINES,
    repositoryLimits: { files: values.ARTEL_REPOSITORY_FILES, bytes: values.ARTEL_REPOSITORY_MIB * 1024 * 1024 },
    minFreeBytes: values.ARTEL_FREE_DISK_MB * 1024 * 1024,
    keepRunsDays: values.ARTEL_KEEP_RUNS_DAYS ?? null,
    keepEventsDays: values.ARTEL_KEEP_EVENTS_DAYS,
    keepVersionsDays: values.ARTEL_KEEP_VERSIONS_DAYS,
    maxVersionsBytes: values.ARTEL_VERSIONS_MB * 1024 * 1024,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    updateCheck: values.ARTEL_UPDATE_CHECK,
    updateUrl: values.ARTEL_UPDATE_URL ?? null,
    trustProxy: values.TRUST_PROXY,
    allowedOrigins: values.ALLOWED_ORIGINS,
    openaiApiKey: values.OPENAI_API_KEY ?? null,
    openaiBaseUrl: values.OPENAI_BASE_URL,
    anthropicApiKey: values.ANTHROPIC_API_KEY ?? null,
    anthropicBaseUrl: values.ANTHROPIC_BASE_URL,
    defaultModel: values.ARTEL_DEFAULT_MODEL ?? null,
    gigaChatAuthUrl: values.GIGACHAT_AUTH_URL,
    gigaChatScope: values.GIGACHAT_SCOPE,
    pricesFile: values.ARTEL_PRICES_FILE === undefined ? null : resolve(values.ARTEL_PRICES_FILE),
    dailyTokens: values.ARTEL_DAILY_TOKENS,
    dailyTokensOfAll: values.ARTEL_DAILY_TOKENS_OF_ALL ?? usersPerDay * values.ARTEL_DAILY_TOKENS,
  };
}

/** Returns the origins of this machine's own model servers that users may call; none on a server that others can reach. */
export function localModelOrigins(settings: Settings): readonly string[] {
  return settings.localModels && isLocalOnly(settings) ? localOrigins : [];
}

/** Whether the settings let only programs on this machine reach the server. Behind a proxy, or with a public address, others can. */
export function isLocalOnly({ host, trustProxy, publicUrl }: Pick<Settings, 'host' | 'trustProxy' | 'publicUrl'>): boolean {
  const isLoopback = host === '::1' || isLoopbackHost(host);
  return isLoopback && trustProxy === false && (publicUrl === null || isLoopbackHost(new URL(publicUrl).host));
}

/** Returns a warning for each setting that works and is seldom intended: a line each, in English like the whole log. */
export function settingsWarnings(settings: Settings): string[] {
  const { trustProxy, metrics, metricsToken, publicUrl, smtpUrl } = settings;
  const hasKey = settings.openaiApiKey !== null || settings.anthropicApiKey !== null;
  const isPublic = publicUrl !== null && !isLoopbackHost(new URL(publicUrl).host);
  return [
    ...(trustProxy === true
      ? ['TRUST_PROXY=on lets every client choose its address, so that limits by address stop no one: set it to the number of proxies.']
      : []),
    ...(metrics === 'loopback' && metricsToken === null && isPublic
      ? ['With a public PUBLIC_URL /metrics answers no one: set ARTEL_METRICS_TOKEN to read it, or ARTEL_METRICS=off.']
      : []),
    ...(hasKey && smtpUrl === null && !isLocalOnly(settings)
      ? ['Only accounts with a confirmed email address use the model keys of this server: set SMTP_URL to send the confirmations.']
      : []),
  ];
}
