import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { Health } from '../contract/health.ts';
import { closeInOrder } from './close-in-order.ts';
import { createHousekeeping } from './housekeeping.ts';
import type { Handlers } from './http/call.ts';
import { originAllowed } from './http/cors.ts';
import { Idempotency } from './http/idempotency.ts';
import { isLocalRequest } from './http/is-local-request.ts';
import { createOpenConnections } from './http/limits/open-connections.ts';
import { RateLimits } from './http/limits/rate-limits.ts';
import { createRequestLimits } from './http/limits/request-limits.ts';
import { mountProbes } from './http/monitoring/probes.ts';
import { measureRequests } from './http/monitoring/request-metrics.ts';
import { serveMetrics } from './http/monitoring/serve-metrics.ts';
import { traceRequests } from './http/monitoring/trace-requests.ts';
import { mountRoutes } from './http/mount.ts';
import { serveOpenApi } from './http/openapi/serve-openapi.ts';
import { serveCrawlerFiles } from './http/pages/crawler-files.ts';
import { serveClient } from './http/pages/static-files.ts';
import { makeWebServer } from './http/web-server.ts';
import { AgentService, agentHandlers, combineWork } from './modules/agents/index.ts';
import { AuthService, authHandlers, createClientRecognition, makePasswordHashing } from './modules/auth/index.ts';
import { budgetHandlers, createBudgets, setServerBudget } from './modules/budgets/index.ts';
import { createCommands, lastCommandAt, workInCommands } from './modules/commands/index.ts';
import { createDeadLetters, deadLetterHandlers } from './modules/dead-letters/index.ts';
import { createRuns, workInRuns } from './modules/executions/index.ts';
import { createInputs, extractPdfText, inputFiles, inputHandlers, inputsOfRuns } from './modules/inputs/index.ts';
import { createLeads, leadHandlers } from './modules/leads/index.ts';
import { seedAccount } from './modules/onboarding/index.ts';
import { ProjectService, projectHandlers, VersionService, VersionTrimming } from './modules/projects/index.ts';
import { createPublishing, isPublished, publishingHandlers } from './modules/publishing/index.ts';
import { registerRealtime, socketLimits, userSocketPath } from './modules/realtime/index.ts';
import { createThoughts, thoughtHandlers } from './modules/thoughts/index.ts';
import { createServerConnections, createServerTools, createToolServers, toolServerHandlers } from './modules/tool-servers/index.ts';
import { createFetchTool, createFileTools } from './modules/tools/index.ts';
import type { Bus } from './platform/bus/bus.ts';
import { createBatchedStatements } from './platform/database/batched-statements.ts';
import type { Database } from './platform/database/database.ts';
import { databaseProbe } from './platform/database/database-probe.ts';
import { createPreparedStatements } from './platform/database/prepared-statements.ts';
import { createEgress, isHostAllowed } from './platform/egress/egress.ts';
import { createDraftPullRequests } from './platform/git/draft-pull-requests.ts';
import { createFetchTree } from './platform/git/fetch-tree.ts';
import { createGitCommits } from './platform/git/git-commits.ts';
import { createHtmlText } from './platform/html/html-text.ts';
import type { Models } from './platform/llm/choose-model.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import { createClientTokens } from './platform/mcp/client-tokens.ts';
import type { OperatorServer } from './platform/mcp/operator-servers.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import type { PriceList } from './platform/prices/price-list.ts';
import { createHttpRunner } from './platform/runner/http-runner.ts';
import { makeSecretBox } from './platform/secrets/secret-box.ts';
import type { SecretKey } from './platform/secrets/secret-key.ts';
import type { Traces } from './platform/traces/traces.ts';
import type { WorkQueue } from './platform/work-queue/work-queue.ts';
import { isLocalOnly, type Settings } from './settings.ts';

export type AppDependencies = {
  settings: Settings;
  log: Logger;
  database: Database;
  queue: WorkQueue;
  bus: Bus;
  models: Models;
  prices: PriceList;
  secret: SecretKey;
  mailer: Mailer;
  /** Tool servers of the operator, by name. */
  operatorServers: ReadonlyMap<string, OperatorServer>;
  metrics: Metrics;
  /** Null when traces are off. */
  traces: Traces | null;
  /** Returns the server's address for users once it listens, without a trailing slash. */
  address: () => string;
  version: string;
  /** The built client; null to serve the API alone. */
  clientFolder: string | null;
  /** The folder with the client's assets of earlier builds; null when they are not kept. */
  keptAssets: string | null;
  /** Origins of other servers that the client was built to talk to. */
  apiOrigins: readonly string[];
  /** Milliseconds since the epoch. */
  now: () => number;
};

export type App = {
  fastify: FastifyInstance;
  /** Recovers the unfinished work of an earlier process. Afterwards the server reports that it is ready. */
  start: () => Promise<void>;
  /**
   * Reports from now on that the server is not ready, so that load balancers send requests elsewhere, and takes no more jobs. Calls are
   * still served.
   */
  retire: () => void;
  /**
   * Stops taking requests and lets current ones finish. Returns unfinished jobs to the queue, which the next process or another
   * node takes. Closes sockets. The caller closes the database.
   */
  close: () => Promise<void>;
};

/** The time limit of a probe, after which the database counts as unavailable (ms). */
const probeMs = 2_000;
/** The waits for the file thread, for emails in progress, for a batch of old versions and for the work queue when the process ends (ms). */
const fileThreadMs = 200;
const emailsMs = 1_000;
const trimmingMs = 2_000;
const workQueueMs = 1_000;
/** The operator has chosen the runner's address. Its connections serve no other calls. A runner that works tells so every few seconds. */
const runnerEgress = { allowPrivate: true, idleTimeoutMs: 60_000 };

/** Builds the server from its dependencies; it never listens. */
export async function buildApp(deps: AppDependencies): Promise<App> {
  const { settings, log, database, queue, bus, secret, now } = deps;
  const { db, pool } = database;
  const batched = (own: Database['queue'], maxAtOnce: number) =>
    createBatchedStatements({ pool: database.batches, maxAtOnce, alone: createPreparedStatements(own) });
  const work = { ...database.work, run: batched(database.work.pool, 2) };
  const startedAt = performance.now();
  let phase: 'starting' | 'ready' | 'stopping' = 'starting';

  const run = createPreparedStatements(pool);
  const secrets = makeSecretBox(secret);
  const isAllowed = (address: string) => isHostAllowed(address, { allowPrivate: settings.allowPrivateModelHosts });
  const agents = new AgentService({
    db,
    run,
    secrets,
    isHostAllowed: isAllowed,
  });
  const trimming = new VersionTrimming({
    ...{ db: database.work.db, maxBytes: settings.maxVersionsBytes },
    onFailed: (error, projectId) => log.warn({ err: error, projectId }, 'Removing the oldest versions of a canvas failed'),
  });
  const projects = new ProjectService({
    db,
    reads: database.reads,
    announce: (userId, update) => bus.publish(userId, { type: 'canvas_updated', ...update }),
    announceChange: (userId, news) => bus.publish(userId, { type: 'project_changed', ...news }),
    maxVersionsBytes: settings.maxVersionsBytes,
    trimVersions: (projectId) => trimming.trim(projectId),
  });
  const versions = new VersionService({
    ...{ db, reads: database.reads, keepDays: settings.keepVersionsDays, maxBytes: settings.maxVersionsBytes },
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
    now,
  });
  const connections = createOpenConnections({
    maxPerAccount: socketLimits.connectionsPerAccount,
    openSessions: (ids) => auth.sessions.openSessions(ids),
    now,
  });
  const requestLimits = createRequestLimits();
  const idempotency = new Idempotency(pool);
  const allowPrivateHosts = settings.allowPrivateModelHosts;
  const gitEgress = createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 });
  const fetchTree = createFetchTree(gitEgress);
  const budgets = createBudgets({ db, newId: v7, now: () => new Date(now()), currencies: deps.prices.currencies, projects });
  const inputs = createInputs({ db, newId: v7, projects, extractPdfText, fetchTree, allowPrivateHosts });
  const html = createHtmlText(log);
  const fetchTool = createFetchTool({
    ...{ hosts: settings.fetchHosts, allowPrivateHosts, html },
    egress: createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 }),
  });
  const toolEgress = createEgress({ allowPrivate: allowPrivateHosts, idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 });
  const connectServer = createServerConnections({
    ...{ egress: toolEgress, secrets, tokens: createClientTokens({ egress: toolEgress, now }) },
    operatorServers: deps.operatorServers,
    ownerOf: (projectId) => projects.ownerOf(projectId),
  });
  const serverTools = createServerTools({
    ...{ db: work.db, connect: connectServer, operatorServers: deps.operatorServers, newId: v7, now: () => new Date(now()) },
  });
  const runs = createRuns({
    db,
    run,
    store: batched(pool, 1),
    work,
    queue,
    limits: { maxAtWork: settings.accountRunsAtOnce, maxStarted: settings.accountRunsStarted },
    bus,
    models: deps.models,
    prices: deps.prices,
    budgets,
    limitsLentKeys: settings.dailyTokens > 0,
    newId: v7,
    now: () => new Date(now()),
    log,
    agents,
    projects,
    inputs: inputsOfRuns(db),
    isPublished: isPublished(db),
    runner: settings.runner && createHttpRunner({ ...settings.runner, egress: createEgress(runnerEgress) }),
    runnerSeconds: settings.runnerSeconds,
    toolProviders: [createFileTools({ db: work.db, baseTree: inputFiles(work.db) }), fetchTool, serverTools],
    questionEmails: {
      mailer: deps.mailer,
      ownerOf: (userId) => auth.emailOwner(userId),
      countEmail: async (userId) => {
        await rateLimits.count('letter', { address: '', account: userId });
      },
      address: deps.address,
    },
  });

  const moment = () => new Date(now());
  const publishing = createPublishing({
    ...{ db, projects, secrets, runs: runs.publishing, isHostAllowed: isAllowed, allowPrivateHosts, now: moment },
    commits: createGitCommits(gitEgress),
    openDraft: createDraftPullRequests(gitEgress),
  });
  const toolServers = createToolServers({
    ...{ db, projects, agents, secrets, connect: connectServer, operatorServers: deps.operatorServers },
    ...{ isHostAllowed: isAllowed, allowPrivateHosts, newId: v7, now: moment },
  });
  const commands = createCommands({
    ...{ db, pool, work, bus, queue, log, agents, projects, models: deps.models, newId: v7, now: moment },
    prices: deps.prices,
    limitsLentKeys: settings.dailyTokens > 0,
  });
  const thoughts = createThoughts({
    ...{ db, bus, agents, projects, newId: v7, now: moment },
    webSocket: settings.realtime === 'auto' ? userSocketPath : null,
  });

  const isUp = databaseProbe(database.queue, probeMs);
  const readHealth = async (): Promise<Health> => {
    const up = await isUp();
    return {
      status: phase === 'starting' ? 'starting' : phase === 'ready' && up ? 'ok' : 'unavailable',
      version: deps.version,
      uptimeSeconds: Math.round((performance.now() - startedAt) / 1000),
      database: up ? 'up' : 'down',
      bus: bus.state(),
    };
  };

  const handlers: Handlers = {
    'health.get': async ({ reply }) => {
      const health = await readHealth();
      if (health.status !== 'ok') reply.status(503);
      return health;
    },
    ...authHandlers(auth, places, {
      ...{ registration: settings.registration, realtime: settings.realtime, runner: settings.runner !== null },
    }),
    ...projectHandlers(projects, versions, {
      runs: runs.ofProject,
      lastCommandAt: (projectId) => lastCommandAt(db, projectId),
      countAgents: (userId, ids) => agents.countOf(userId, ids),
    }),
    ...agentHandlers({ db, newId: v7, agents, work: combineWork([workInRuns(db), workInCommands(db)]) }),
    ...budgetHandlers(budgets),
    ...inputHandlers(inputs),
    ...publishingHandlers(publishing),
    ...toolServerHandlers(toolServers),
    ...leadHandlers(createLeads({ db, newId: v7 })),
    ...deadLetterHandlers(createDeadLetters({ pool, run, queue, retryExecution: runs.retryDead, retryCommand: commands.retryDead })),
    ...runs.handlers,
    ...commands.handlers,
    ...thoughtHandlers(thoughts, { bus, connections }),
  };

  const fastify = await makeWebServer(log, { ...settings, apiOrigins: deps.apiOrigins });
  mountProbes(fastify, readHealth);
  measureRequests(fastify, deps.metrics);
  if (deps.traces) traceRequests(fastify, deps.traces);
  serveMetrics(fastify, deps.metrics, settings);
  if (settings.realtime === 'auto') {
    await registerRealtime(fastify, {
      bus,
      authenticate: (token) => auth.sessions.authenticate(token),
      redeemTicket: (ticket) => auth.sessions.redeemTicket(ticket),
      tokensInAddress: settings.socketTokens,
      originAllowed: (request) => originAllowed(request, settings),
      runs,
      connections,
      requestLimits,
      log,
    });
  }
  deps.metrics.watch({
    executions: runs.countByStatus,
    queue: () => queue.counts('execution'),
    commands: () => queue.counts('command'),
    deadLetters: async () => (await queue.deadJobs({ limit: 0, offset: 0 })).total,
    sockets: () => (settings.realtime === 'auto' ? fastify.websocketServer.clients.size : 0),
  });
  mountRoutes(fastify, {
    handlers,
    authenticate: (token, isLocal) => auth.sessions.authenticate(token, isLocal),
    isLocal: (request) => isLocalRequest(request, settings),
    idempotency,
    rateLimits,
    requestLimits,
    checksAnswers: settings.checksAnswers,
  });
  serveOpenApi(fastify, deps.version);
  if (deps.clientFolder !== null) serveCrawlerFiles(fastify, deps.address);
  await serveClient(fastify, {
    ...{ folder: deps.clientFolder, kept: deps.keptAssets, testPages: settings.testPages, origin: settings.publicUrl ?? '' },
  });

  const housekeeping = createHousekeeping({
    ...{ database, queue, log, now: moment, keepRunsDays: settings.keepRunsDays, keepVersionsDays: settings.keepVersionsDays },
    ...{ run: work.run, auth, idempotency, trimming },
  });
  const warnOfUnverifiedStaff = async () => {
    const count = await auth.countUnverifiedStaff();
    if (count > 0)
      log.warn(`Accounts of ARTEL_STAFF_EMAILS that are not staff until they confirm their email in the account window: ${count}`);
  };

  return {
    fastify,
    start: async () => {
      if (database.embedded) await idempotency.releaseAll();
      await setServerBudget(work.run, settings.dailyTokens);
      await queue.start();
      await warnOfUnverifiedStaff();
      housekeeping.start();
      runs.watchQuestions();
      phase = 'ready';
    },
    retire: () => {
      phase = 'stopping';
      queue.stop();
    },
    close: async () => {
      phase = 'stopping';
      housekeeping.stop();
      commands.stopWaiting();
      connections.close();
      await Promise.all([fastify.close(), queue.drain(settings.drainSeconds * 1_000)]);
      await closeInOrder(
        [
          { what: 'the thread for files', limitMs: fileThreadMs, close: () => runs.close() },
          { what: 'the threads for web pages', limitMs: fileThreadMs, close: () => html.close() },
          { what: 'the removal of old versions', limitMs: trimmingMs, close: () => trimming.close() },
          { what: 'emails', limitMs: emailsMs, close: () => auth.close() },
          { what: 'the work queue', limitMs: workQueueMs, close: () => queue.close() },
        ],
        (about, line) => log.warn(about, line),
      );
    },
  };
}
