import type { Logger } from 'pino';
import { v7 } from 'uuid';
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
import { createBudgets, createSingleCallMeter, createSpendLedger } from './modules/budgets/index.ts';
import { createCommands } from './modules/commands/index.ts';
import { createConnections, operatorConnections } from './modules/connections/index.ts';
import { createRuns } from './modules/executions/index.ts';
import { createInputs, extractText, inputFiles, inputsOfRuns } from './modules/inputs/index.ts';
import { seedAccount } from './modules/onboarding/index.ts';
import { ProjectService, VersionService, VersionTrimming } from './modules/projects/index.ts';
import { createPublishing, createRepositoryAccess, isOwnRepository, isPublished } from './modules/publishing/index.ts';
import { socketLimits, userSocketPath } from './modules/realtime/index.ts';
import { Runners } from './modules/runners/index.ts';
import { AccountStorage } from './modules/storage/index.ts';
import { createThoughts } from './modules/thoughts/index.ts';
import { createAccountTokens, createServerConnections, createServerTools, createToolServers } from './modules/tool-servers/index.ts';
import { createFetchTool, createFileTools, createSearchThread } from './modules/tools/index.ts';
import type { Bus } from './platform/bus/bus.ts';
import { elapsed } from './platform/clock.ts';
import { createBatchedStatements } from './platform/database/batched-statements.ts';
import type { Database } from './platform/database/database.ts';
import { createPreparedStatements } from './platform/database/prepared-statements.ts';
import { createEgress, isHostAllowed } from './platform/egress/egress.ts';
import { createFreeDisk } from './platform/files/free-disk.ts';
import { createDraftPullRequests } from './platform/git/draft-pull-requests.ts';
import { createFetchTree } from './platform/git/fetch-tree.ts';
import { createGitCommits } from './platform/git/git-commits.ts';
import { packLimits, RepositoryMemory } from './platform/git/repository-memory.ts';
import { createReviewComments } from './platform/git/review-comments.ts';
import { createHtmlText } from './platform/html/html-text.ts';
import type { Models } from './platform/llm/choose-model.ts';
import type { TraitsOfAccounts } from './platform/llm/model-traits.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import { createClientTokens } from './platform/mcp/client-tokens.ts';
import type { OperatorServer } from './platform/mcp/operator-servers.ts';
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
  secret: SecretKey;
  mailer: Mailer;
  /** Tool servers of the operator, by name. */
  operatorServers: ReadonlyMap<string, OperatorServer>;
  /** Returns the server's address for users once it listens, without a trailing slash. */
  address: () => string;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** Makes the services of all modules, each from those that it needs. */
export async function createServices(deps: ServicesDeps) {
  const { settings, log, database, queue, bus, secret, now } = deps;
  const { db, pool } = database;
  const batched = (own: Database['queue'], maxAtOnce: number) =>
    createBatchedStatements({ pool: database.batches, maxAtOnce, alone: createPreparedStatements(own) });
  const work = { ...database.work, run: batched(database.work.pool, 2) };
  const store = batched(pool, 1);

  const moment = () => new Date(now());
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
  const run = createPreparedStatements(pool);
  const secrets = makeSecretBox(secret);
  const openOrigins = localModelOrigins(settings);
  const isAllowed = (address: string) => isHostAllowed(address, { allowPrivate: settings.allowPrivateModelHosts });
  const isModelHostAllowed = (address: string) => isHostAllowed(address, { allowPrivate: settings.allowPrivateModelHosts, openOrigins });
  const operator = operatorConnections(
    {
      openai: { apiKey: settings.openaiApiKey, baseUrl: settings.openaiBaseUrl },
      anthropic: { apiKey: settings.anthropicApiKey, baseUrl: settings.anthropicBaseUrl },
    },
    settings.defaultModel,
  );
  const agents = new AgentService({
    db,
    run,
    secrets,
    isHostAllowed: isAllowed,
    operator,
    newAgentModel: newAgentModel(operator),
  });
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
  const places = createClientRecognition({ db, secret, now });
  const rateLimits = new RateLimits(pool, places);
  const auth = new AuthService({
    db,
    secret,
    passwords: await makePasswordHashing(),
    rules: { registration: settings.registration, staffEmails: settings.staffEmails, firstAccountIsStaff: isLocalOnly(settings) },
    seed: (tx, userId, language) => seedAccount({ agents, projects }, tx, userId, language),
    onSessionEnded: (sessionId, userId) => {
      connections.endSession(sessionId);
      bus.publish(userId, { type: 'session_ended', sessionId });
    },
    places,
    countPasswordAttempt: (userId) => rateLimits.count('password', { address: '', account: userId }),
    countVerification: (userId) => rateLimits.count('verification', { address: '', account: userId }),
    mailer: deps.mailer,
    address: deps.address,
    onMailFailed: (error) => log.warn({ err: error }, 'An email could not be sent'),
    isAlone: database.embedded,
    now,
  });
  const connections = createOpenConnections({
    maxPerAccount: socketLimits.connectionsPerAccount,
    openSessions: (ids) => auth.sessions.openSessions(ids),
    now,
  });
  const keys = new ApiKeys({
    db,
    run,
    secret,
    resolveProject: (userId, id) => projects.resolve(userId, id),
    newId: v7,
    now: moment,
    onFailed: (error) => log.warn({ err: error }, 'The use of an API key could not be noted'),
  });
  const requestLimits = createRequestLimits();
  const idempotency = new Idempotency(pool);
  const allowPrivateHosts = settings.allowPrivateModelHosts;
  const gitEgress = createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 30_000, totalTimeoutMs: 300_000 });
  const lanes = new ProcessLanes();
  const memory = new RepositoryMemory();
  const { repositoryLimits } = settings;
  const packs = new RepositoryMemory(packLimits(repositoryLimits.bytes));
  const fetchTree = createFetchTree(gitEgress, lanes);
  const budgets = createBudgets({ db, newId: v7, now: moment, currencies: deps.prices.currencies, projects });
  const access = createRepositoryAccess(db, secrets);
  const inputs = createInputs({
    db,
    newId: v7,
    projects,
    storage,
    extractText,
    lanes,
    fetchTree,
    access,
    packs,
    repositoryLimits,
    allowPrivateHosts,
  });
  const html = createHtmlText(log);
  const searches = createSearchThread();
  const fetchTool = createFetchTool({
    hosts: settings.fetchHosts,
    allowPrivateHosts,
    html,
    egress: createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 }),
  });
  const toolEgress = createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 });
  const connectServer = createServerConnections({
    egress: toolEgress,
    secrets,
    tokens: createClientTokens({ egress: toolEgress, now }),
    accounts: createAccountTokens({ db: work.db, egress: toolEgress, secrets, allowPrivateHosts, now }),
    operatorServers: deps.operatorServers,
    ownerOf: (projectId) => projects.ownerOf(projectId),
  });
  const serverTools = createServerTools({
    db: work.db,
    connect: connectServer,
    operatorServers: deps.operatorServers,
    newId: v7,
    now: moment,
  });
  const limitsLentKeys = settings.dailyTokens > 0 || settings.dailyTokensOfAll > 0;
  const runners = new Runners({
    db,
    secrets,
    operator: settings.runner,
    isLocalOnly: isLocalOnly(settings),
    dataDir: settings.dataDir,
  });
  const runs = createRuns({
    db,
    run,
    store,
    work,
    queue,
    limits: { maxAtWork: settings.accountRunsAtOnce, maxStarted: settings.accountRunsStarted, maxPipelines: settings.maxAccountPipelines },
    bus,
    models: deps.models,
    prices: deps.prices,
    budgets,
    limitsLentKeys,
    newId: v7,
    now: moment,
    log,
    agents,
    projects,
    inputs: inputsOfRuns(db),
    storage,
    isPublished: isPublished(db),
    isOwnRepository: isOwnRepository(db),
    runner: () => runners.current(),
    runnerSeconds: settings.runnerSeconds,
    secrets,
    toolProviders: [createFileTools({ db: work.db, baseTree: inputFiles(work.db), thread: searches }), fetchTool, serverTools],
    questionEmails: {
      mailer: deps.mailer,
      ownerOf: (userId) => auth.emailOwner(userId),
      countEmail: async (userId) => {
        await rateLimits.count('letter', { address: '', account: userId });
      },
      address: deps.address,
    },
  });

  const publishing = createPublishing({
    db,
    projects,
    secrets,
    runs: runs.publishing,
    isHostAllowed: isAllowed,
    allowPrivateHosts,
    now: moment,
    commits: createGitCommits(gitEgress, lanes),
    packs,
    memory,
    repositoryLimits,
    openDraft: createDraftPullRequests(gitEgress),
    readReview: createReviewComments(gitEgress),
    inputs,
    personOf: (userId) => auth.emailOwner(userId),
  });
  const toolServers = createToolServers({
    db,
    projects,
    agents,
    secrets,
    connect: connectServer,
    egress: toolEgress,
    operatorServers: deps.operatorServers,
    address: deps.address,
    isHostAllowed: isAllowed,
    allowPrivateHosts,
    newId: v7,
    now: moment,
  });
  const modelConnections = createConnections({
    db,
    secrets,
    operator,
    models: deps.models,
    traits: deps.traits,
    prices: deps.prices,
    meter: createSingleCallMeter(work.run, {
      prices: deps.prices,
      ledger: createSpendLedger(work.run),
      limitsLentKeys,
      newId: v7,
      now: moment,
    }),
    resolveProject: (userId, projectId) => projects.resolve(userId, projectId),
    switchConnection: (userId, connection, chosen) => agents.switchConnection(userId, connection, chosen),
    isHostAllowed: isModelHostAllowed,
    openOrigins,
    allowPrivateHosts,
    gigaChat: { authUrl: settings.gigaChatAuthUrl, scope: settings.gigaChatScope },
    newId: v7,
    now: moment,
  });
  const commands = createCommands({
    db,
    pool,
    store,
    work,
    bus,
    queue,
    log,
    agents,
    models: deps.models,
    newId: v7,
    now: moment,
    prices: deps.prices,
    limitsLentKeys,
  });
  const thoughts = createThoughts({
    db,
    bus,
    agents,
    projects,
    newId: v7,
    now: moment,
    webSocket: settings.realtime === 'auto' ? userSocketPath : null,
  });

  const exports = new ExportService({
    pool,
    log,
    now,
    links: createExportLinks(secret),
    openSessions: (ids) => auth.sessions.openSessions(ids),
    version: versionsForExport(versions),
  });
  const stopWork = createStopWork({ pool, stopExecution: runs.executions.stop, cancelCommand: commands.cancel });
  const leaving = createLeavingWatch({
    pool: database.work.pool,
    stopWork,
    now: moment,
    log,
    remove: async (userId, signal) => {
      const removal = { pool: database.work.pool, forgetGroups: queue.forgetGroups, forgetEmails: deps.mailer.forget };
      await removeAccount(removal, userId, signal);
      auth.sessions.forget();
    },
  });

  return {
    exports,
    stopWork,
    leaving,
    agents,
    keys,
    projects,
    versions,
    trimming,
    auth,
    places,
    connections,
    rateLimits,
    requestLimits,
    idempotency,
    budgets,
    inputs,
    html,
    searches,
    runs,
    publishing,
    toolServers,
    modelConnections,
    commands,
    thoughts,
    run,
    work,
    moment,
    storage,
    runners,
  };
}
