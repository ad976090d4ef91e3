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
import { AuthService, createClientRecognition, makePasswordHashing } from './modules/auth/index.ts';
import { createBudgets, createSingleCallMeter, createSpendLedger, KeyBudgets } from './modules/budgets/index.ts';
import { createCommands } from './modules/commands/index.ts';
import { createConnections, createListedModel, operatorConnections } from './modules/connections/index.ts';
import { createRuns, type Runs } from './modules/executions/index.ts';
import { createHooks, type Hooks } from './modules/hooks/index.ts';
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

/** What the services of all modules are made from. */
type Shared = ReturnType<typeof createShared>;
type Canvases = ReturnType<typeof createCanvasServices>;
type Accounts = Awaited<ReturnType<typeof createAccountServices>>;
type Git = ReturnType<typeof createGit>;
type Tools = ReturnType<typeof createTools>;

/** Makes the services of all modules, each from those that it needs. */
export async function createServices(deps: ServicesDeps) {
  const shared = createShared(deps);
  const canvases = createCanvasServices(shared);
  const accounts = await createAccountServices(shared, canvases);
  const git = createGit(shared);
  const tools = createTools(shared, canvases);
  const budgets = createBudgets({ ...shared, ...canvases, currencies: deps.prices.currencies });
  const inputs = new Inputs({ ...shared, ...canvases, ...git, extractText });
  const { dataDir, runner: operator } = deps.settings;
  const runners = new Runners({ ...shared, operator, isLocalOnly: isLocalOnly(deps.settings), dataDir });
  const hooks = createHookServices(shared, { ...canvases, ...accounts });
  const runs = createRunServices({ ...shared, ...canvases, accounts, tools, budgets, runners, onTold: hooks.relaySoon });
  const telegram = createTelegramService(shared, { ...canvases, ...accounts, runs, deliveries: hooks.hooks });
  const push = createPush({ ...shared, ...peopleOf({ ...canvases, ...accounts, runs }) });
  hooks.deliver({ telegram: telegram.send, push: push.send });
  const commands = createCommands({ ...shared, ...canvases });
  const released = createReleasedTeams(shared, { ...canvases, runs, inputs });
  const publishing = createPublishing(shared, { ...canvases, accounts, git, runs, inputs, onTold: hooks.relaySoon });
  const triggers = createTriggerServices(shared, { ...canvases, ...accounts, ...released, runs, git, publishing, budgets });
  const { html, searches, toolServers } = tools;
  const { run, work, moment, storage } = shared;
  return {
    ...canvases,
    ...accounts,
    ...createLeaving(shared, { ...canvases, ...accounts, runs, commands }),
    hooks: hooks.hooks,
    telegram,
    push: push.devices,
    publishing,
    modelConnections: createModelConnections({ ...shared, ...canvases }),
    thoughts: createThoughts({
      ...shared,
      ...canvases,
      webSocket: deps.settings.realtime === 'auto' ? userSocketPath : null,
    }),
    ...released,
    ...triggers,
    budgets,
    inputs,
    html,
    searches,
    runs,
    toolServers,
    commands,
    run,
    work,
    moment,
    storage,
    runners,
  };
}

function createShared(deps: ServicesDeps) {
  const { settings, log, database, now } = deps;
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
  const allowPrivateHosts = settings.allowPrivateModelHosts;
  const moment = () => new Date(now());
  return {
    ...deps,
    db,
    pool,
    run: createPreparedStatements(pool),
    store: batched(pool, 1),
    work,
    newId: v7,
    now: moment,
    /** Milliseconds since the epoch. */
    nowMs: now,
    moment,
    storage,
    secrets: makeSecretBox(deps.secret),
    operator,
    allowPrivateHosts,
    isHostAllowed: (address: string) => isHostAllowed(address, { allowPrivate: allowPrivateHosts }),
    limitsLentKeys: settings.dailyTokens > 0 || settings.dailyTokensOfAll > 0,
  };
}

function createCanvasServices(shared: Shared) {
  const { settings, log, database, bus, db, operator } = shared;
  const listed = createListedModel(operator);
  const agents = new AgentService({ ...shared, newAgentModel: () => newAgentModel(operator, listed()) });
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
  const versions = new VersionService({
    db,
    reads: database.reads,
    keepDays: settings.keepVersionsDays,
    maxBytes: settings.maxVersionsBytes,
    resolve: (userId, id) => projects.resolve(userId, id),
  });
  const teams = new TeamVersions({ ...shared, projects, agents });
  return { agents, trimming, projects, versions, teams };
}

async function createAccountServices(shared: Shared, { agents, projects }: Canvases) {
  const { settings, log, database, bus, db, pool, secret, nowMs: now } = shared;
  const places = createClientRecognition({ db, secret, now });
  const rateLimits = new RateLimits(pool, places);
  const endConnections = (sessionId: string, userId: string) => {
    connections.endSession(sessionId);
    bus.publish(userId, { type: 'session_ended', sessionId });
  };
  const auth = new AuthService({
    db,
    secret,
    passwords: await makePasswordHashing(),
    rules: { registration: settings.registration, staffEmails: settings.staffEmails, firstAccountIsStaff: isLocalOnly(settings) },
    seed: (tx, userId, language) => seedAccount({ agents, projects }, tx, userId, language),
    onSessionEnded: endConnections,
    places,
    countPasswordAttempt: (userId) => rateLimits.count('password', { address: '', account: userId }),
    countVerification: (userId) => rateLimits.count('verification', { address: '', account: userId }),
    mailer: shared.mailer,
    address: shared.address,
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
  const keyBudgets = new KeyBudgets({ ...shared, currencies: shared.prices.currencies });
  const keys = new ApiKeys({
    ...shared,
    budgets: keyBudgets,
    onCalled: shared.metrics.keyCalled,
    onRevoked: endConnections,
    resolveProject: (userId, id) => projects.resolve(userId, id),
    onFailed: (error) => log.warn({ err: error }, 'The use of an API key could not be noted'),
  });
  return {
    keys,
    keyBudgets,
    places,
    rateLimits,
    auth,
    connections,
    requestLimits: createRequestLimits(),
    idempotency: new Idempotency(pool),
  };
}

/** Reads and writes repositories, with the room that they may take. */
function createGit({ settings: { repositoryLimits }, db, secrets, allowPrivateHosts }: Shared) {
  const egress = createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 30_000, totalTimeoutMs: 300_000 });
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

function createTools(shared: Shared, { agents, projects }: Canvases) {
  const { settings, log, work, secrets, allowPrivateHosts, nowMs: now, operatorServers } = shared;
  const html = createHtmlText(log);
  const searches = createSearchThread(log);
  const egress = createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 });
  const connect = createServerConnections({
    // The session ends its calls itself: those with progress last longer than others.
    egress: createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: usualMs, totalTimeoutMs: maxProgressMs + usualMs }),
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
    egress: createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 }),
  });
  const toolProviders = [
    createFileTools({ db: work.db, baseTree: new InputFiles(work.db), thread: searches }),
    fetchTool,
    createServerTools({ ...shared, db: work.db, connect }),
  ];
  return { html, searches, toolProviders, toolServers: new ToolServers({ ...shared, agents, projects, connect, egress }) };
}

type RunServices = Shared &
  Canvases & { accounts: Accounts; tools: Tools; budgets: ReturnType<typeof createBudgets>; runners: Runners; onTold: () => void };

function createRunServices({ accounts: { auth, rateLimits }, tools: { toolProviders }, runners, ...shared }: RunServices) {
  const { db, settings, mailer, address } = shared;
  return createRuns({
    ...shared,
    limits: { maxAtWork: settings.accountRunsAtOnce, maxStarted: settings.accountRunsStarted, maxPipelines: settings.maxAccountPipelines },
    inputs: inputsOfRuns(db),
    isPublished: isPublished(db),
    isOwnRepository: isOwnRepository(db),
    runner: () => runners.current(),
    runnerSeconds: settings.runnerSeconds,
    toolProviders,
    questionEmails: {
      mailer,
      ownerOf: (userId) => auth.emailOwner(userId),
      countEmail: async (userId) => {
        await rateLimits.count('letter', { address: '', account: userId });
      },
      address,
    },
  });
}

function createPublishing(
  shared: Shared,
  { accounts, git, runs, ...others }: Canvases & { accounts: Accounts; git: Git; runs: Runs; inputs: Inputs; onTold: () => void },
): Publishing {
  return new Publishing({
    ...shared,
    ...others,
    ...git,
    runs: { ...runs.publishing, issueOf: createIssueOfRun(shared.db) },
    personOf: (userId) => accounts.auth.emailOwner(userId),
  });
}

/** Emails to owners of projects, of which each account may get so many. */
function lettersOf({ mailer }: Shared, { auth, rateLimits }: Pick<Accounts, 'auth' | 'rateLimits'>) {
  return {
    mailer,
    ownerOf: (userId: string) => auth.emailOwner(userId),
    countEmail: async (userId: string) => {
      await rateLimits.count('letter', { address: '', account: userId });
    },
  };
}

function createHookServices(shared: Shared, { projects, auth, rateLimits }: Canvases & Accounts) {
  return createHooks({
    ...shared,
    resolveProject: (userId, id) => projects.resolve(userId, id),
    emails: lettersOf(shared, { auth, rateLimits }),
  });
}

function createReleasedTeams(shared: Shared, { teams: versions, projects, runs, inputs }: Canvases & { runs: Runs; inputs: Inputs }) {
  const teams = new ReleasedTeams({ ...shared, currencies: shared.prices.currencies, projects, versions, pipelines: runs.pipelines });
  return { releasedTeams: teams, teamCalls: new TeamCalls({ ...shared, teams, versions, inputs, runs }) };
}

function createTriggerServices(
  shared: Shared,
  {
    projects,
    auth,
    rateLimits,
    keys,
    keyBudgets,
    releasedTeams,
    teamCalls,
    runs,
    git,
    publishing,
    budgets,
  }: Canvases &
    Accounts & {
      releasedTeams: ReleasedTeams;
      teamCalls: TeamCalls;
      runs: Runs;
      git: Git;
      publishing: Publishing;
      budgets: ReturnType<typeof createBudgets>;
    },
) {
  const { db, secrets } = shared;
  return createTriggers({
    ...shared,
    calls: teamCalls,
    executions: runs.executions,
    teams: releasedTeams,
    keys,
    budgets: keyBudgets,
    resolveProject: (userId, id) => projects.resolve(userId, id),
    emails: lettersOf(shared, { auth, rateLimits }),
    forges: {
      forge: git.forge,
      targetOf: createForgeTarget(db, secrets),
      readRun: (userId, id) => runs.executions.get(userId, id),
      openQuestions: async (userId, id) =>
        (await runs.questions.ofExecution(userId, id, { limit: 50, offset: 0 })).items.filter(({ state }) => state === 'open').toReversed(),
      publish: (asked) => publishing.publish(asked),
      stop: (userId, id) => runs.executions.stop(userId, id),
      answer: ({ userId, name, language }, id, answer, keep) =>
        runs.questions.answer({ user: { id: userId, name }, id, answer, language, keep }),
      runBudgets: budgets,
    },
  });
}

/** What is read for messages to people. */
function peopleOf({ projects, auth, runs }: Pick<Canvases, 'projects'> & Pick<Accounts, 'auth'> & { runs: Runs }) {
  return {
    nameOfProject: async (userId: string, projectId: string) => (await projects.get(userId, projectId)).name,
    languageOf: async (userId: string) => (await auth.emailOwner(userId))?.language ?? 'ru',
    question: (userId: string, id: string) => runs.questions.details(userId, id),
  };
}

type TelegramNeeds = Canvases & Accounts & { runs: Runs; deliveries: Hooks };

function createTelegramService(shared: Shared, others: TelegramNeeds) {
  const { projects, auth, runs, deliveries } = others;
  return createTelegram({
    ...shared,
    ...peopleOf(others),
    deliveries,
    messageAbout: (userId, questionId) => deliveries.messageAbout(userId, questionId),
    nameOfAccount: async (userId) => {
      const owner = await auth.emailOwner(userId);
      // A name is chosen freely; the address tells whose it is.
      return owner ? `${visibleName(owner.name)} (${owner.email})` : '';
    },
    readRun: (userId, id) => runs.executions.get(userId, id),
    resolveProject: (userId, id) => projects.resolve(userId, id),
    answer: async (userId, id, answer, language, keep) => {
      const owner = await auth.emailOwner(userId);
      return runs.questions.answer({ user: { id: userId, name: `${owner?.name ?? ''} (Telegram)` }, id, answer, language, keep });
    },
  });
}

function createModelConnections(shared: Shared & Canvases) {
  const { settings, agents, projects, work, allowPrivateHosts } = shared;
  const openOrigins = localModelOrigins(settings);
  return createConnections({
    ...shared,
    meter: createSingleCallMeter(work.run, { ...shared, ledger: createSpendLedger(work.run) }),
    resolveProject: (userId, projectId) => projects.resolve(userId, projectId),
    switchConnection: (userId, connection, chosen) => agents.switchConnection(userId, connection, chosen),
    isHostAllowed: (address) => isHostAllowed(address, { allowPrivate: allowPrivateHosts, openOrigins }),
    openOrigins,
    gigaChat: { authUrl: settings.gigaChatAuthUrl, scope: settings.gigaChatScope },
  });
}

/** What takes an account's data out of the server: exports, and its removal. */
function createLeaving(
  { log, database, queue, pool, secret, mailer, moment, nowMs: now }: Shared,
  { versions, auth, runs, commands }: Canvases & Accounts & { runs: Runs; commands: Pick<ReturnType<typeof createCommands>, 'cancel'> },
) {
  const exports = new ExportService({
    pool,
    log,
    now,
    links: createExportLinks(secret),
    openSessions: (ids) => auth.sessions.openSessions(ids),
    version: versionsForExport(versions),
  });
  const stopWork = createStopWork({
    pool,
    stopExecution: (userId, id) => runs.executions.stop(userId, id),
    cancelCommand: commands.cancel,
  });
  const leaving = createLeavingWatch({
    pool: database.work.pool,
    stopWork,
    now: moment,
    log,
    remove: async (userId, signal) => {
      const removal = { pool: database.work.pool, forgetGroups: queue.forgetGroups, forgetEmails: mailer.forget };
      await removeAccount(removal, userId, signal);
      auth.sessions.forget();
    },
  });
  return { exports, stopWork, leaving };
}
