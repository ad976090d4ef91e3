import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type App, buildApp } from './app.ts';
import { type Closing, closeInOrder } from './close-in-order.ts';
import { keepAssets } from './http/pages/kept-assets.ts';
import { readIntervals } from './intervals.ts';
import { makeLogger } from './logging.ts';
import { plainReason } from './plain-reason.ts';
import type { Bus } from './platform/bus/bus.ts';
import { createInProcessBus } from './platform/bus/in-process-bus.ts';
import { observeBus } from './platform/bus/observe-bus.ts';
import type { Database } from './platform/database/database.ts';
import { migrateAt } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { createModels } from './platform/llm/choose-model.ts';
import { observeModels } from './platform/llm/observe-models.ts';
import { simulatedModel } from './platform/llm/simulated/simulated-model.ts';
import { type Mailer, senderAt } from './platform/mail/mailer.ts';
import { outboxMailer } from './platform/mail/outbox-mailer.ts';
import { OperatorServersError, operatorServersWarnings, readOperatorServers } from './platform/mcp/operator-servers.ts';
import { removeOldToolFolders } from './platform/mcp/tool-folders.ts';
import { modelMeter, stepMeter } from './platform/metrics/meters.ts';
import { prometheusMetrics } from './platform/metrics/prometheus-metrics.ts';
import { openPriceList } from './platform/prices/price-list.ts';
import { PriceError } from './platform/prices/read-prices.ts';
import { readOrMakeSecret, secretKeyFrom } from './platform/secrets/secret-key.ts';
import type { Traces } from './platform/traces/traces.ts';
import { pgBossQueue } from './platform/work-queue/pg-boss/pg-boss-queue.ts';
import { readVersion } from './read-version.ts';
import { readSettings, SettingsError, settingNames, settingsWarnings } from './settings.ts';

const root = join(import.meta.dirname, '..');
/** The time that current requests have to finish; then their connections are closed (ms). */
const requestsMs = 4_000;
/**
 * The time limits of closing each resource (ms), without the time for running model calls. Their sum is less than `exitMs`, after which
 * the process exits in any case.
 */
const closeMs = { app: 6_200, bus: 500, mailer: 500, traces: 700, database: 1_500 };
const exitMs = 9_500;

const settings = orExit(() => readSettings(process.env), SettingsError);
const operatorServers = orExit(() => readOperatorServers(settings.toolServersFile, process.env, settingNames), OperatorServersError);
const prices = orExit(() => openPriceList(settings.pricesFile), PriceError);
const intervals = readIntervals(process.env);
const log = makeLogger(settings.logLevel);
const stopping = new AbortController();
const closings: Closing[] = [];
let app: App | null = null;

process.on('SIGTERM', () => void shutDown('SIGTERM'));
process.on('SIGINT', () => void shutDown('SIGINT'));
process.on('unhandledRejection', (error) => log.error({ err: error }, 'A rejected promise was not handled'));

void removeOldToolFolders(Date.now());
const starting = start();
try {
  await starting;
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(`Artel cannot start: ${plainReason(error)}`);
    await closeAll();
    process.exit(1);
  }
}

async function start(): Promise<void> {
  const note = (line: string) => log.warn(line);
  for (const line of [...settingsWarnings(settings), ...operatorServersWarnings(operatorServers)]) note(line);
  const database = await openDatabase(
    settings.databaseUrl === null
      ? { kind: 'embedded', dataDir: settings.dataDir }
      : { kind: 'external', url: settings.databaseUrl, waitMs: settings.waitSeconds * 1_000, signal: stopping.signal },
    note,
  );
  closings.push({ what: 'the database', limitMs: closeMs.database, close: database.close });
  await migrateAt(database.connectionString, join(root, 'server', 'migrations'));
  const secret = secretKeyFrom(settings.secretKey ?? (await readOrMakeSecret(settings.dataDir, () => isUnused(database))));
  const bus = await openBus(note);
  closings.push({ what: 'the bus', limitMs: closeMs.bus, close: bus.close });
  const mailer = await openMailer();
  closings.push({ what: 'the mailer', limitMs: closeMs.mailer, close: async () => mailer.close() });
  const clientFolder = process.env.ARTEL_CLIENT === 'off' ? null : join(root, 'dist');
  const metrics = prometheusMetrics(readVersion());
  const traces = await openTraces(note);
  const built = await buildApp({
    settings,
    log,
    database,
    queue: pgBossQueue({
      ...{ pool: database.queue, heartbeats: database.heartbeats, connectionString: database.connectionString },
      ...{ isAlone: database.embedded, intervals, log },
    }),
    bus: observeBus(bus, traces ? [stepMeter(metrics), traces.message] : [stepMeter(metrics)]),
    models: observeModels(
      createModels({
        serverWide: {
          openai: { apiKey: settings.openaiApiKey, baseUrl: settings.openaiBaseUrl },
          anthropic: { apiKey: settings.anthropicApiKey, baseUrl: settings.anthropicBaseUrl },
        },
        callsPerKey: settings.callsPerKey,
        gigaChat: { authUrl: settings.gigaChatAuthUrl, scope: settings.gigaChatScope },
        allowPrivateHosts: settings.allowPrivateModelHosts,
        simulated: simulatedModel({ durationMs: settings.simulatedAnswerMs }),
      }),
      traces ? [modelMeter(metrics), traces.modelCall] : [modelMeter(metrics)],
    ),
    prices,
    secret,
    mailer,
    operatorServers,
    metrics,
    traces,
    address: () => settings.publicUrl ?? addressOf(built),
    version: readVersion(),
    clientFolder,
    keptAssets: clientFolder === null ? null : await storeAssets(clientFolder, note),
    questionWatchMs: intervals.questionWatchMs,
    apiOrigins: originsOf([process.env.VITE_API_PRODUCTION, process.env.VITE_API_FALLBACK]),
    now: Date.now,
  });
  app = built;
  closings.push({ what: 'the server', limitMs: closeMs.app + settings.drainSeconds * 1_000, close: () => drain(built) });
  await built.start();
  await built.fastify.listen({ port: settings.port, host: settings.host });
  console.log(`Artel is ready at ${addressOf(built)}`);
}

/** Stores this build's assets beside those of earlier builds, and returns the folder; null if the data folder cannot be written. */
async function storeAssets(clientFolder: string, note: (line: string) => void): Promise<string | null> {
  const kept = join(settings.dataDir, 'client');
  try {
    await keepAssets(clientFolder, kept, new Date());
    return kept;
  } catch (error) {
    note(`The pieces of earlier client builds are not kept for open pages: ${plainReason(error)}`);
    return null;
  }
}

/** Returns whether the database has no data that the secret may have encrypted. */
async function isUnused({ pool }: Database): Promise<boolean> {
  return (await pool.query('SELECT 1 FROM users LIMIT 1')).rowCount === 0;
}

/** Loads the client of NATS only for a cluster, since it makes every start slower. */
async function openBus(note: (line: string) => void): Promise<Bus> {
  if (settings.natsUrl === null) return createInProcessBus();
  const { connectNatsBus } = await import('./platform/bus/nats-bus.ts');
  return connectNatsBus(settings.natsUrl, note);
}

/** Loads the mail client only when a mail server is set, since it makes every start slower. */
async function openMailer(): Promise<Mailer> {
  const from = senderAt(settings.publicUrl === null ? 'localhost' : new URL(settings.publicUrl).hostname);
  if (settings.smtpUrl === null) return outboxMailer(join(settings.dataDir, 'outbox'), from, Date.now);
  const { smtpMailer } = await import('./platform/mail/smtp-mailer.ts');
  return smtpMailer(settings.smtpUrl, from);
}

/** Loads the traces only when they are on, since they make every start slower. */
async function openTraces(note: (line: string) => void): Promise<Traces | null> {
  if (settings.tracesEndpoint === null) return null;
  const { otlpTraces } = await import('./platform/traces/otlp-traces.ts');
  const traces = otlpTraces({ version: readVersion(), note });
  closings.push({ what: 'traces', limitMs: closeMs.traces, close: traces.close });
  return traces;
}

async function drain({ fastify, close }: App): Promise<void> {
  const cut = setTimeout(() => fastify.server.closeAllConnections(), requestsMs);
  await close();
  clearTimeout(cut);
}

async function shutDown(signal: string): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  log.info(`${signal}: stopping`);
  app?.retire();
  await wait(settings.shutdownDelaySeconds * 1_000);
  setTimeout(() => process.exit(1), exitMs + settings.drainSeconds * 1_000).unref();
  // A half opened resource could not be closed, and PostgreSQL would keep running.
  await starting.catch(() => {});
  await closeAll();
  process.exit(0);
}

/** Closes the resources in the reverse order of their opening. */
async function closeAll(): Promise<void> {
  await closeInOrder(closings.splice(0).reverse(), (about, line) => log.error(about, line));
}

/** Ends the process with one line when the operator's settings cannot be used. */
function orExit<T>(read: () => T, wrong: new (message: string) => Error): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof wrong)) throw error;
    console.error(`Artel cannot start: ${error.message}`);
    process.exit(1);
  }
}

/** Returns the address to open in a browser: the public one, else one that works on this machine. */
function addressOf(app: App): string {
  const address = app.fastify.server.address();
  const port = typeof address === 'object' && address ? address.port : settings.port;
  const host = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(settings.host) ? 'localhost' : settings.host;
  return `http://${host}:${port}`;
}

function originsOf(urls: readonly (string | undefined)[]): string[] {
  return urls.filter((url) => url !== undefined && URL.canParse(url)).map((url) => new URL(url as string).origin);
}
