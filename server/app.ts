import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { v7 } from 'uuid';
import { singleFlight } from '../async/single-flight.ts';
import type { Health } from '../contract/health.ts';
import { closeInOrder } from './close-in-order.ts';
import { createServices, type ServicesDeps } from './create-services.ts';
import { createHousekeeping } from './housekeeping.ts';
import type { Handlers } from './http/call.ts';
import { originAllowed } from './http/cors.ts';
import { isLocalRequest } from './http/is-local-request.ts';
import { measureRequests, routeOf, serveMetrics } from './http/monitoring/serve-metrics.ts';
import { mountRoutes } from './http/mount.ts';
import { serveOpenApi } from './http/openapi/serve-openapi.ts';
import { serveCrawlerFiles } from './http/pages/crawler-files.ts';
import { serveClient } from './http/pages/static-files.ts';
import { makeWebServer } from './http/web-server.ts';
import { accountHandlers } from './modules/accounts/index.ts';
import { agentHandlers } from './modules/agents/index.ts';
import { apiKeyHandlers } from './modules/api-keys/index.ts';
import { authHandlers } from './modules/auth/index.ts';
import { budgetHandlers, setServerBudgets } from './modules/budgets/index.ts';
import { agentWork, lastCommandAt } from './modules/commands/index.ts';
import { connectionHandlers } from './modules/connections/index.ts';
import { createDeadLetters, deadLetterHandlers } from './modules/dead-letters/index.ts';
import { hookHandlers } from './modules/hooks/index.ts';
import { inputHandlers, removeUnusedBases } from './modules/inputs/index.ts';
import { createLeads, leadHandlers } from './modules/leads/index.ts';
import { projectHandlers } from './modules/projects/index.ts';
import { publishingHandlers } from './modules/publishing/index.ts';
import { pushHandlers } from './modules/push/index.ts';
import { registerRealtime } from './modules/realtime/index.ts';
import { releasedTeamHandlers, serveMcp } from './modules/released-teams/index.ts';
import { createAccountRemoval } from './modules/retention/index.ts';
import { runnerHandlers } from './modules/runners/index.ts';
import { storageHandlers } from './modules/storage/index.ts';
import { teamVersionHandlers } from './modules/team-versions/index.ts';
import { telegramHandlers } from './modules/telegram/index.ts';
import { thoughtHandlers } from './modules/thoughts/index.ts';
import { toolServerHandlers } from './modules/tool-servers/index.ts';
import { receiveWebhooks, triggerHandlers } from './modules/triggers/index.ts';
import type { DatabaseState } from './platform/database/database.ts';
import { repeatWhenLost } from './platform/database/repeat-when-lost.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { createNewerRelease } from './platform/newer-release.ts';
import type { Traces } from './platform/traces/traces.ts';

/**
 * Checks whether the database answers within `limitMs` and accepts writes. Concurrent checks share one query. A connection without
 * an answer is dropped, so probes never use up the pool.
 */
function databaseProbe(pool: pg.Pool, limitMs: number): () => Promise<boolean> {
  const question = { text: "SELECT current_setting('transaction_read_only') = 'off' AS writable", query_timeout: limitMs };
  return singleFlight(() => {
    const answer = pool.query<{ writable: boolean }>(question).then(
      ({ rows }) => rows[0]?.writable === true,
      () => false,
    );
    return Promise.race([answer, wait(limitMs, false, { ref: false })]);
  });
}

/** Probes of machines every few seconds, which are not traced. */
const untraced = new Set(['/live', '/ready', '/health', '/metrics']);

/** Creates a span for every request. */
function traceRequests(app: FastifyInstance, traces: Pick<Traces, 'request'>): void {
  const endings = new WeakMap<FastifyRequest, (status: number) => void>();
  app.addHook('onRequest', async (request) => {
    const route = routeOf(request);
    if (untraced.has(route)) return;
    const { traceparent } = request.headers;
    const caller = typeof traceparent === 'string' ? traceparent : undefined;
    endings.set(request, traces.request({ method: request.method, route, requestId: request.id, traceparent: caller }));
  });
  app.addHook('onResponse', async (request, reply) => endings.get(request)?.(reply.statusCode));
}

type ReadHealth = () => Promise<Health>;

/** The probes of orchestrators: the process is alive (`/live`), it can take requests (`/ready`), and its state (`/health`). */
function mountProbes(app: FastifyInstance, readHealth: ReadHealth): void {
  const options = { logLevel: 'warn' } as const;
  app.get('/live', options, async () => ({ status: 'ok' }));
  for (const path of ['/ready', '/health']) {
    app.get(path, options, async (_request, reply) => {
      const health = await readHealth();
      return reply
        .status(health.status === 'ok' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(health);
    });
  }
}

type AppDependencies = ServicesDeps & {
  metrics: Metrics;
  /** Null when traces are off. */
  traces: Traces | null;
  version: string;
  commit?: string | undefined;
  /** The address of the repository of this package; null where it names none. */
  repository: string | null;
  /** The built client; null to serve the API alone. */
  clientFolder: string | null;
  /** The folder with the client's assets of earlier builds; null when they are not kept. */
  keptAssets: string | null;
  /** Origins of other servers that the client was built to talk to. */
  apiOrigins: readonly string[];
  /** How often due questions and emails are looked for (ms). */
  questionWatchMs: number;
  /** How often deleted accounts are looked for whose time is over (ms). */
  leavingWatchMs: number;
  /** The pause of the reader of the Telegram bot (ms). */
  telegramPauseMs: number;
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
/** The waits for the file thread, for emails in progress, for a batch of old versions or of a deleted account, and for the work queue when the process ends (ms). */
const fileThreadMs = 200;
const emailsMs = 1_000;
const telegramMs = 1_000;
const trimmingMs = 2_000;
const removalMs = 2_000;
const workQueueMs = 1_000;

type Services = Awaited<ReturnType<typeof createServices>>;
type Phase = 'starting' | 'ready' | 'stopping';

/** Builds the server from its dependencies; it never listens. */
export async function buildApp(deps: AppDependencies): Promise<App> {
  const { settings, log, database, queue } = deps;
  let phase: Phase = 'starting';
  const readHealth = createHealth(deps, () => phase);
  const services = await createServices(deps);
  const { auth, trimming, connections, idempotency, html, searches, runs, commands, work, now, leaving } = services;
  const fastify = await makeWebServer(log, { ...settings, apiOrigins: deps.apiOrigins });
  await mountAll(fastify, deps, services, readHealth);
  const housekeeping = createHousekeeping({
    database,
    queue,
    log,
    now,
    keepRunsDays: settings.keepRunsDays,
    keepEventsDays: settings.keepEventsDays,
    keepVersionsDays: settings.keepVersionsDays,
    run: work.run,
    auth,
    keys: services.keys,
    hooks: services.hooks,
    triggers: services.triggers,
    chats: services.telegram.chats,
    idempotency,
    trimming,
    runs,
  });

  return {
    fastify,
    start: async () => {
      const unverified = await repeatWhenLost(async () => {
        if (database.embedded) await idempotency.releaseAll();
        await setServerBudgets(work.run, { daily: settings.dailyTokens, dailyOfAll: settings.dailyTokensOfAll });
        await queue.start();
        return auth.countUnverifiedStaff();
      }, database.untilAnswers);
      if (unverified > 0)
        log.warn(`Accounts of ARTEL_STAFF_EMAILS that are not staff until they confirm their email in the account window: ${unverified}`);
      housekeeping.start();
      commands.start();
      runs.watchQuestions(deps.questionWatchMs);
      leaving.start(deps.leavingWatchMs);
      services.telegram.start(deps.telegramPauseMs);
      phase = 'ready';
    },
    retire: () => {
      phase = 'stopping';
      queue.stop();
    },
    close: async () => {
      phase = 'stopping';
      void housekeeping.stop();
      commands.stop();
      connections.close();
      await Promise.all([fastify.close(), queue.drain(settings.drainSeconds * 1_000)]);
      await closeInOrder(
        [
          { what: 'the thread for files', limitMs: fileThreadMs, close: () => runs.close() },
          { what: 'the threads for web pages', limitMs: fileThreadMs, close: () => html.close() },
          { what: 'the thread for searches', limitMs: fileThreadMs, close: () => searches.close() },
          { what: 'the removal of old versions', limitMs: trimmingMs, close: () => trimming.close() },
          { what: 'the removal of deleted accounts', limitMs: removalMs, close: () => leaving.stop() },
          { what: 'the Telegram bot', limitMs: telegramMs, close: () => services.telegram.stop() },
          { what: 'emails', limitMs: emailsMs, close: () => auth.close() },
          { what: 'the work queue', limitMs: workQueueMs, close: () => queue.close() },
        ],
        (about, line) => log.warn(about, line),
      );
    },
  };
}

/** What `/health` says of a database that does not answer. */
const databaseStates = { running: 'down', recovering: 'recovering', restarting: 'restarting' } as const satisfies Record<
  DatabaseState,
  Health['database']
>;

function createHealth({ database, bus, version, commit }: AppDependencies, phase: () => Phase): () => Promise<Health> {
  const startedAt = performance.now();
  const isUp = databaseProbe(database.queue, probeMs);
  return async () => {
    const up = await isUp();
    return {
      status: phase() === 'starting' ? 'starting' : phase() === 'ready' && up ? 'ok' : 'unavailable',
      version,
      commit,
      uptimeSeconds: Math.round((performance.now() - startedAt) / 1000),
      database: up ? 'up' : databaseStates[database.state()],
      bus: bus.state(),
    };
  };
}

async function mountAll(
  fastify: FastifyInstance,
  deps: AppDependencies,
  services: Services,
  readHealth: () => Promise<Health>,
): Promise<void> {
  const { settings, log, queue, bus } = deps;
  const { auth, connections, rateLimits, requestLimits, idempotency, runs, storage } = services;
  mountProbes(fastify, readHealth);
  measureRequests(fastify, deps.metrics);
  if (deps.traces) traceRequests(fastify, deps.traces);
  serveMetrics(fastify, deps.metrics, settings);
  if (settings.realtime === 'auto') {
    await registerRealtime(fastify, {
      bus,
      authenticate: (token, count) => auth.sessions.authenticate(token, false, count),
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
    handlers: createHandlers(deps, services, readHealth),
    keys: services.keys,
    authenticate: (token, isLocal, count, isOpenToLeaving) => auth.sessions.authenticate(token, isLocal, count, isOpenToLeaving),
    isLocal: (request) => isLocalRequest(request, settings),
    idempotency,
    rateLimits,
    requestLimits,
    storage,
    checksAnswers: settings.checksAnswers,
  });
  serveMcp(fastify, {
    keys: services.keys,
    requestLimits,
    originAllowed: (request) => originAllowed(request, settings),
    calls: services.teamCalls,
    idempotency,
    bus,
    connections,
    version: deps.version,
    onFailed: (error) => log.error({ err: error }, 'A call of an MCP tool failed unexpectedly'),
  });
  receiveWebhooks(fastify, services);
  serveOpenApi(fastify, deps.version);
  if (deps.clientFolder !== null) serveCrawlerFiles(fastify, deps.address);
  await serveClient(fastify, {
    folder: deps.clientFolder,
    kept: deps.keptAssets,
    testPages: settings.testPages,
    origin: settings.publicUrl ?? '',
  });
}

function createHandlers(deps: AppDependencies, services: Services, readHealth: () => Promise<Health>): Handlers {
  const { settings, database, queue, bus } = deps;
  const { db, pool } = database;
  const { agents, projects, runs, commands, modelConnections, connections, runners, run } = services;
  const newerRelease = createNewerRelease(deps);
  const removeRuns = createAccountRemoval({ pool: database.work.pool, queue });
  return {
    'health.get': async ({ reply }) => {
      const health = await readHealth();
      if (health.status !== 'ok') reply.status(503);
      return health;
    },
    'health.version': async () => ({ version: deps.version, commit: deps.commit, newer: await newerRelease() }),
    ...authHandlers(services.auth, services.places, {
      registration: settings.registration,
      realtime: settings.realtime,
      runner: () => runners.isConnected(),
    }),
    ...apiKeyHandlers(services.keys),
    ...hookHandlers(services.hooks),
    ...telegramHandlers(services.telegram.chats),
    ...pushHandlers(services.push),
    ...triggerHandlers(services.triggers),
    ...accountHandlers(services),
    ...projectHandlers(projects, services.versions, {
      runs: runs.ofProject,
      lastCommandAt: (projectId) => lastCommandAt(db, projectId),
      countAgents: (userId, ids) => agents.countOf(userId, ids),
      promptChanges: (projectId, asked) => agents.promptChanges(projectId, asked),
    }),
    ...teamVersionHandlers(services.teams),
    ...agentHandlers({
      db,
      newId: v7,
      agents,
      work: agentWork(db),
      storage: services.storage,
      onModelsChosen: (userId, ids) => modelConnections.learnChosen(userId, ids),
    }),
    ...budgetHandlers(services.budgets),
    ...inputHandlers(services.inputs),
    ...storageHandlers({
      storage: services.storage,
      now: services.now,
      eventsKeptDays: settings.keepEventsDays,
      limits: { bytes: settings.maxAccountBytes, projects: settings.maxAccountProjects, pipelines: settings.maxAccountPipelines },
      countOf: {
        projects: async (userId) => (await projects.list(userId, { limit: 0, offset: 0 })).total,
        pipelines: runs.pipelines.countOf,
      },
      remove: {
        runs: async (userId, before) => {
          const removed = await removeRuns(userId, before);
          await removeUnusedBases(database.work.db, userId);
          return removed;
        },
        pipelines: runs.pipelines.removeUnused,
      },
    }),
    ...publishingHandlers(services.publishing),
    ...toolServerHandlers(services.toolServers),
    ...connectionHandlers(modelConnections),
    ...runnerHandlers(runners),
    ...releasedTeamHandlers(services.releasedTeams, services.teamCalls, {
      bus,
      connections,
      read: (userId, id, since, limit) => runs.executions.events(userId, id, since, limit),
    }),
    ...leadHandlers(createLeads({ db, newId: v7 })),
    ...deadLetterHandlers(
      createDeadLetters({
        pool,
        run,
        queue,
        retries: { execution: runs.retryDead, command: commands.retryDead, trigger: services.retryDeadInstant },
      }),
    ),
    ...runs.handlers,
    ...commands.handlers,
    ...thoughtHandlers(services.thoughts, { bus, connections }),
  };
}
