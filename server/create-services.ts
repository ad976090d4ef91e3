import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { visibleName } from '../rules/text/hidden-characters.ts';
import { Idempotency } from './http/idempotency.ts';
import { createOpenConnections } from './http/limits/open-connections.ts';
import { RateLimits } from './http/limits/rate-limits.ts';
import { createRequestLimits } from './http/limits/request-limits.ts';
import {
  createExportLinks,
  createLeavingWatch,
  createStopWork,
  ExportService,
  removeAccount,
  versionsForExport,
} from './modules/accounts/index.ts';
import { AgentService, newAgentModel } from './modules/agents/index.ts';
import { ApiKeys } from './modules/api-keys/index.ts';
import { AuthService, createClientRecognition, makePasswordHashing, type PasswordHashing } from './modules/auth/index.ts';
import { createBudgets, createSingleCallMeter, createSpendLedger, KeyBudgets } from './modules/budgets/index.ts';
import { createCommands } from './modules/commands/index.ts';
import { createConnections, createListedModel, operatorConnections } from './modules/connections/index.ts';
import { createRuns } from './modules/executions/index.ts';
import { createHooks } from './modules/hooks/index.ts';
import { extractText, InputFiles, Inputs, inputsOfRuns } from './modules/inputs/index.ts';
import { seedAccount } from './modules/onboarding/index.ts';
import { ProjectService, VersionService, VersionTrimming } from './modules/projects/index.ts';
import { createForgeTarget, createRepositoryAccess, isOwnRepository, isPublished, Publishing } from './modules/publishing/index.ts';
import { createPush } from './modules/push/index.ts';
import { socketLimits, userSocketPath } from './modules/realtime/index.ts';
import { ReleasedTeams, TeamCalls } from './modules/released-teams/index.ts';
import { Runners } from './modules/runners/index.ts';
import { AccountStorage } from './modules/storage/index.ts';
import { TeamVersions } from './modules/team-versions/index.ts';
import { createTelegram } from './modules/telegram/index.ts';
import { createThoughts } from './modules/thoughts/index.ts';
import { createAccountTokens, createServerConnections, createServerTools, ToolServers } from './modules/tool-servers/index.ts';
import { createFetchTool, createFileTools, createSearchThread } from './modules/tools/index.ts';
import { createIssueOfRun, createTriggers } from './modules/triggers/index.ts';
import type { Bus } from './platform/bus/bus.ts';
import { elapsed } from './platform/clock.ts';
import { createBatchedStatements } from './platform/database/batched-statements.ts';
import type { Database } from './platform/database/database.ts';
import { createPreparedStatements } from './platform/database/prepared-statements.ts';
import { createEgress, isHostAllowed } from './platform/egress/egress.ts';
import { createFreeDisk } from './platform/files/free-disk.ts';
import { createFetchTree } from './platform/git/fetch-tree.ts';
import { createForge } from './platform/git/forges/create-forge.ts';
import { createGitCommits } from './platform/git/git-commits.ts';
import { packLimits, RepositoryMemory } from './platform/git/repository-memory.ts';
import { createHtmlText } from './platform/html/html-text.ts';
import type { Models } from './platform/llm/choose-model.ts';
import type { TraitsOfAccounts } from './platform/llm/model-traits.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import { maxProgressMs, usualMs } from './platform/mcp/call-times.ts';
import { createClientTokens } from './platform/mcp/client-tokens.ts';
import type { OperatorServer } from './platform/mcp/operator-servers.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { asOwner, type OwnerId } from './platform/owner-id.ts';
import type { PriceList } from './platform/prices/price-list.ts';
import { ProcessLanes } from './platform/processes/process-lanes.ts';
import { makeSecretBox } from './platform/secrets/secret-box.ts';
import type { SecretKey } from './platform/secrets/secret-key.ts';
import type { WorkQueue } from './platform/work-queue/work-queue.ts';
import { isLocalOnly, localModelOrigins, type Settings } from './settings.ts';

export type ServicesDeps = {
  settings: Settings;
  log: Logger;
  database: Database;
  queue: WorkQueue;
  bus: Bus;
  models: Models;
  traits: TraitsOfAccounts;
  prices: PriceList;
  metrics: Pick<Metrics, 'keyCalled'>;
  secret: SecretKey;
  mailer: Mailer;
  /** Tool servers of the operator, by name. */
  operatorServers: ReadonlyMap<string, OperatorServer>;
  /** Returns the server's address for users once it listens, without a trailing slash. */
  address: () => string;
  /** Milliseconds since the epoch. */
  now: () => number;
};

type Base = ReturnType<typeof createBase>;
type WithCanvases = Base & ReturnType<typeof createCanvases>;
type WithAccounts = WithCanvases & ReturnType<typeof createAccounts>;
type WithTools = WithAccounts & ReturnType<typeof createGit> & ReturnType<typeof createTools>;
type WithRuns = WithTools & ReturnType<typeof createRunServices>;
type WithTeams = WithRuns & ReturnType<typeof createTeams>;

/** Makes the services of all modules. */
export async function createServices(deps: ServicesDeps) {
  return new Assembly(createBase(deps, await makePasswordHashing()))
    .with(createCanvases)
    .with(createAccounts)
    .with(createGit)
    .with(createTools)
    .with(createRunServices)
    .with(createMessageReads)
    .with(createReceivers)
    .with(createModelServices)
    .with(createTeams)
    .with(createPublishing)
    .with(createTriggerServices)
    .with(createLeaving).server;
}

/** Nothing for free names, and something that no factory has for a name that is taken. */
type Free<Name> = [Name] extends [never] ? unknown : { taken: Name };

/** The server as it is put together: each factory is given what was made before it. The compiler refuses a name that something else has. */
class Assembly<Server extends object> {
  readonly server: Readonly<Server>;

  constructor(server: Server) {
    this.server = Object.freeze(server);
  }

  with<Added extends object>(create: Free<keyof Server & keyof Added> & ((server: Server) => Added)): Assembly<Server & Added> {
    return new Assembly({ ...this.server, ...create(this.server) });
  }
}

function createBase({ now: nowMs, ...deps }: ServicesDeps, passwords: PasswordHashing) {
  const { settings, log, database } = deps;
  const { db, pool } = database;
  const batched = (own: Database['queue'], maxAtOnce: number) =>
    createBatchedStatements({ pool: database.batches, maxAtOnce, alone: createPreparedStatements(own) });
  const work = { ...database.work, run: batched(database.work.pool, 2) };
  const storage = new AccountStorage({
    run: work.run,
    measuring: createPreparedStatements(database.work.pool),
    limitBytes: settings.maxAccountBytes,
    // The disk of another server's database cannot be read from here.
    freeBytes: database.embedded ? createFreeDisk(settings.dataDir, elapsed) : null,
    minFreeBytes: settings.minFreeBytes,
    elapsed,
    onFailed: (error) => log.warn({ err: error }, 'Counting what an account stores failed'),
  });
  const operator = operatorConnections(
    {
      openai: { apiKey: settings.openaiApiKey, baseUrl: settings.openaiBaseUrl },
      anthropic: { apiKey: settings.anthropicApiKey, baseUrl: settings.anthropicBaseUrl },
    },
    settings.defaultModel,
  );
  const { allowPrivateHosts, proxies } = settings;
  return {
    ...deps,
    db,
    pool,
    run: createPreparedStatements(pool),
    store: batched(pool, 1),
    work,
    newId: v7,
    now: () => new Date(nowMs()),
    /** Milliseconds since the epoch. */
    nowMs,
    storage,
    passwords,
    secrets: makeSecretBox(deps.secret),
    operator,
    currencies: deps.prices.currencies,
    allowPrivateHosts,
    proxies,
    isHostAllowed: (address: string) => isHostAllowed(address, { allowPrivate: allowPrivateHosts, proxies }),
    limitsLentKeys: settings.dailyTokens > 0 || settings.dailyTokensOfAll > 0,
  };
}

function createCanvases(server: Base) {
  const { settings, log, database, bus, db, operator } = server;
  const listed = createListedModel(operator, createEgress({ allowPrivate: true, proxies: server.proxies, idleTimeoutMs: 10_000 }));
  const agents = new AgentService({ ...server, newAgentModel: () => newAgentModel(operator, listed()) });
  const trimming = new VersionTrimming({
    db: database.work.db,
    maxBytes: settings.maxVersionsBytes,
    onFailed: (error, projectId) => log.warn({ err: error, projectId }, 'Removing the oldest versions of a canvas failed'),
  });
  const projects = new ProjectService({
    db,
    reads: database.reads,
    announce: (userId, update) => bus.publish(userId, { type: 'canvas_updated', ...update }),
    announceChange: (userId, news) => bus.publish(userId, { type: 'project_changed', ...news }),
    maxVersionsBytes: settings.maxVersionsBytes,
    maxProjects: settings.maxAccountProjects,
    trimVersions: (projectId) => trimming.trim(projectId),
  });
  const resolveProject = (userId: OwnerId, id: string) => projects.resolve(userId, id);
  const versions = new VersionService({
    db,
    reads: database.reads,
    keepDays: settings.keepVersionsDays,
    maxBytes: settings.maxVersionsBytes,
    resolve: resolveProject,
  });
  const teams = new TeamVersions({ ...server, projects, agents });
  return { agents, trimming, projects, resolveProject, versions, teams };
}

function createAccounts(server: WithCanvases) {
  const { settings, log, database, bus, db, pool, secret, mailer, address, nowMs: now } = server;
  const places = createClientRecognition({ db, secret, now });
  const rateLimits = new RateLimits(pool, places);
  const endConnections = (sessionId: string, userId: string) => {
    connections.endSession(sessionId);
    bus.publish(userId, { type: 'session_ended', sessionId });
  };
  const auth = new AuthService({
    db,
    secret,
    passwords: server.passwords,
    rules: { registration: settings.registration, staffEmails: settings.staffEmails, firstAccountIsStaff: isLocalOnly(settings) },
    seed: (tx, userId, language) => seedAccount(server, tx, asOwner(userId), language),
    onSessionEnded: endConnections,
    places,
    countPasswordAttempt: (userId) => rateLimits.count('password', { address: '', account: userId }),
    countVerification: (userId) => rateLimits.count('verification', { address: '', account: userId }),
    mailer,
    address,
    onMailFailed: (error) => log.warn({ err: error }, 'An email could not be sent'),
    isAlone: database.embedded,
    now,
  });
  const connections = createOpenConnections({
    maxPerAccount: socketLimits.connectionsPerAccount,
    maxPerKey: socketLimits.connectionsPerKey,
    openSessions: async (ids) => new Set([...(await auth.sessions.openSessions(ids)), ...(await keys.open(ids))]),
    now,
  });
  const keyBudgets = new KeyBudgets(server);
  const keys = new ApiKeys({
    ...server,
    budgets: keyBudgets,
    onCalled: server.metrics.keyCalled,
    onRevoked: endConnections,
    onFailed: (error) => log.warn({ err: error }, 'The use of an API key could not be noted'),
  });
  /** Emails to owners of projects, of which each account may get so many. */
  const emails = {
    mailer,
    address,
    ownerOf: (userId: OwnerId) => auth.emailOwner(userId),
    countEmail: async (userId: OwnerId) => {
      await rateLimits.count('letter', { address: '', account: userId });
    },
  };
  return {
    keys,
    keyBudgets,
    places,
    rateLimits,
    auth,
    connections,
    emails,
    requestLimits: createRequestLimits(),
    idempotency: new Idempotency(pool),
  };
}

/** Reads and writes repositories, with the room that they may take. */
function createGit({ settings: { repositoryLimits }, db, secrets, allowPrivateHosts, proxies }: Base) {
  const egress = createEgress({ allowPrivate: allowPrivateHosts, proxies, idleTimeoutMs: 30_000, totalTimeoutMs: 300_000 });
  const lanes = new ProcessLanes();
  return {
    forge: createForge(egress),
    lanes,
    memory: new RepositoryMemory(),
    packs: new RepositoryMemory(packLimits(repositoryLimits.bytes)),
    repositoryLimits,
    fetchTree: createFetchTree(egress, lanes),
    access: createRepositoryAccess(db, secrets),
    commits: createGitCommits(egress, lanes),
  };
}

function createTools(server: WithCanvases) {
  const { settings, log, work, secrets, allowPrivateHosts, proxies, nowMs: now, operatorServers, projects } = server;
  const html = createHtmlText(log);
  const searches = createSearchThread(log);
  const egress = createEgress({ allowPrivate: allowPrivateHosts, proxies, idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 });
  const connect = createServerConnections({
    // The session ends its calls itself: those with progress last longer than others.
    egress: createEgress({ allowPrivate: allowPrivateHosts, proxies, idleTimeoutMs: usualMs, totalTimeoutMs: maxProgressMs + usualMs }),
    secrets,
    tokens: createClientTokens({ egress, now }),
    accounts: createAccountTokens({ db: work.db, egress, secrets, allowPrivateHosts, now }),
    operatorServers,
    ownerOf: (projectId) => projects.ownerOf(projectId),
  });
  const fetchTool = createFetchTool({
    hosts: settings.fetchHosts,
    allowPrivateHosts,
    html,
    egress: createEgress({ allowPrivate: allowPrivateHosts, proxies, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 }),
  });
  const toolProviders = [
    createFileTools({ db: work.db, baseTree: new InputFiles(work.db), thread: searches }),
    fetchTool,
    createServerTools({ ...server, db: work.db, connect }),
  ];
  return { html, searches, toolProviders, toolServers: new ToolServers({ ...server, connect, egress }) };
}

/** Runs, with what limits them, executes their tests and tells programs of them. */
function createRunServices(server: WithTools) {
  const { db, settings, emails } = server;
  const { hooks, relaySoon: onTold, deliver } = createHooks(server);
  const budgets = createBudgets(server);
  const runners = new Runners({ ...server, operator: settings.runner, isLocalOnly: isLocalOnly(settings), dataDir: settings.dataDir });
  const runs = createRuns({
    ...server,
    budgets,
    onTold,
    limits: { maxAtWork: settings.accountRunsAtOnce, maxStarted: settings.accountRunsStarted, maxPipelines: settings.maxAccountPipelines },
    inputs: inputsOfRuns(db),
    isPublished: isPublished(db),
    isOwnRepository: isOwnRepository(db),
    runner: () => runners.current(),
    runnerSeconds: settings.runnerSeconds,
    questionEmails: emails,
  });
  return { hooks, onTold, deliver, budgets, runners, runs };
}

/** What is read for messages to people. */
function createMessageReads({ projects, auth, runs }: WithRuns) {
  return {
    nameOfProject: async (userId: OwnerId, projectId: string) => (await projects.get(userId, projectId)).name,
    languageOf: async (userId: OwnerId) => (await auth.emailOwner(userId))?.language ?? 'ru',
    question: runs.questions.details,
  };
}

/** Who is told of events of runs beside programs. */
function createReceivers(server: WithRuns & ReturnType<typeof createMessageReads>) {
  const { auth, runs, hooks } = server;
  const telegram = createTelegram({
    ...server,
    deliveries: hooks,
    messageAbout: (userId, questionId) => hooks.messageAbout(userId, questionId),
    nameOfAccount: async (userId) => {
      const owner = await auth.emailOwner(userId);
      // A name is chosen freely; the address tells whose it is.
      return owner ? `${visibleName(owner.name)} (${owner.email})` : '';
    },
    readRun: (userId, id) => runs.executions.get(userId, id),
    answer: async (userId, id, answer, language, keep) => {
      const owner = await auth.emailOwner(userId);
      return runs.questions.answer({ user: { ownerId: userId, name: `${owner?.name ?? ''} (Telegram)` }, id, answer, language, keep });
    },
  });
  const push = createPush(server);
  server.deliver({ telegram: telegram.send, push: push.send });
  return { telegram, push: push.devices };
}

/** What single agents do, and the connections to the models that work for them. */
function createModelServices(server: WithRuns) {
  const { settings, agents, work, allowPrivateHosts, proxies } = server;
  const openOrigins = localModelOrigins(settings);
  const modelConnections = createConnections({
    ...server,
    meter: createSingleCallMeter(work.run, { ...server, ledger: createSpendLedger(work.run) }),
    switchConnection: (userId, connection, chosen) => agents.switchConnection(userId, connection, chosen),
    isHostAllowed: (address) => isHostAllowed(address, { allowPrivate: allowPrivateHosts, openOrigins, proxies }),
    openOrigins,
    gigaChat: { authUrl: settings.gigaChatAuthUrl, scope: settings.gigaChatScope },
  });
  const thoughts = createThoughts({ ...server, webSocket: settings.realtime === 'auto' ? userSocketPath : null });
  return { commands: createCommands(server), modelConnections, thoughts };
}

/** Released teams, their calls, and the files that are given to runs. */
function createTeams(server: WithRuns) {
  const versions = server.teams;
  const inputs = new Inputs({ ...server, extractText });
  const releasedTeams = new ReleasedTeams({ ...server, versions, pipelines: server.runs.pipelines });
  return { inputs, releasedTeams, teamCalls: new TeamCalls({ ...server, teams: releasedTeams, versions, inputs }) };
}

function createPublishing(server: WithTeams) {
  const { db, runs, emails } = server;
  const runsOfServer = { ...runs.publishing, issueOf: createIssueOfRun(db) };
  return { publishing: new Publishing({ ...server, runs: runsOfServer, personOf: emails.ownerOf }) };
}

function createTriggerServices(server: WithTeams & ReturnType<typeof createPublishing>) {
  const { db, secrets, forge, runs, publishing, budgets } = server;
  return createTriggers({
    ...server,
    calls: server.teamCalls,
    executions: runs.executions,
    teams: server.releasedTeams,
    budgets: server.keyBudgets,
    forges: {
      forge,
      targetOf: createForgeTarget(db, secrets),
      readRun: (userId, id) => runs.executions.get(userId, id),
      openQuestions: async (userId, id) =>
        (await runs.questions.ofExecution(userId, id, { limit: 50, offset: 0 })).items.filter(({ state }) => state === 'open').toReversed(),
      publish: (asked) => publishing.publish(asked),
      stop: (userId, id) => runs.executions.stop(userId, id),
      answer: ({ userId, name, language }, id, answer, keep) =>
        runs.questions.answer({ user: { ownerId: userId, name }, id, answer, language, keep }),
      runBudgets: budgets,
    },
  });
}

/** What takes an account's data out of the server: exports, and its removal. */
function createLeaving(server: WithRuns & ReturnType<typeof createModelServices>) {
  const { log, database, queue, pool, secret, mailer, now, auth, runs } = server;
  const exports = new ExportService({
    pool,
    log,
    now: server.nowMs,
    links: createExportLinks(secret),
    openSessions: (ids) => auth.sessions.openSessions(ids),
    version: versionsForExport(server.versions),
  });
  const stopWork = createStopWork({
    pool,
    stopExecution: (userId, id) => runs.executions.stop(userId, id),
    cancelCommand: server.commands.cancel,
  });
  const leaving = createLeavingWatch({
    pool: database.work.pool,
    stopWork,
    now,
    log,
    remove: async (userId, signal) => {
      const removal = { pool: database.work.pool, forgetGroups: queue.forgetGroups, forgetEmails: mailer.forget };
      await removeAccount(removal, userId, signal);
      auth.sessions.forget();
    },
  });
  return { exports, stopWork, leaving };
}
