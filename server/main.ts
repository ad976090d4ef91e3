import { join } from 'node:path';
import { type App, buildApp } from './app.ts';
import { makeLogger } from './logging.ts';
import { createInProcessBus } from './platform/bus/in-process-bus.ts';
import { connectNatsBus } from './platform/bus/nats-bus.ts';
import { watchedBus } from './platform/bus/watched-bus.ts';
import { migrate } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { createModels } from './platform/llm/choose-model.ts';
import { simulatedModel } from './platform/llm/simulated/simulated-model.ts';
import { createTokenLedger } from './platform/llm/token-ledger.ts';
import { watchedModels } from './platform/llm/watched-models.ts';
import { senderAt } from './platform/mail/mailer.ts';
import { outboxMailer } from './platform/mail/outbox-mailer.ts';
import { smtpMailer } from './platform/mail/smtp-mailer.ts';
import { modelMeter, stepMeter } from './platform/metrics/meters.ts';
import { prometheusMetrics } from './platform/metrics/prometheus-metrics.ts';
import { readOrMakeSecret, secretKeyFrom } from './platform/secrets/secret-key.ts';
import { readVersion } from './read-version.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';

const root = join(import.meta.dirname, '..');
/** Requests under way are given this long to finish. */
const drainMs = 4_000;
const exitMs = 9_500;
/** How long a simulated answer streams: long enough to be watched, short enough to wait for. */
const simulatedAnswerMs = 1_500;

const settings = settingsOrExit();
const log = makeLogger(settings.logLevel);
const stopping = new AbortController();
const closers: (() => Promise<void>)[] = [];

process.on('SIGTERM', () => void shutDown('SIGTERM'));
process.on('SIGINT', () => void shutDown('SIGINT'));
process.on('unhandledRejection', (error) => log.error({ err: error }, 'A promise was rejected and nobody took it'));

try {
  await start();
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(`Artel cannot start: ${error instanceof Error ? error.message : String(error)}`);
    await closeAll();
    process.exit(1);
  }
}

async function start(): Promise<void> {
  const note = (line: string) => log.warn(line);
  const database = await openDatabase(
    settings.databaseUrl === null ? { kind: 'embedded', dataDir: settings.dataDir } : { kind: 'external', url: settings.databaseUrl },
    note,
  );
  closers.push(database.close);
  await migrate(database.pool, join(root, 'server', 'migrations'));
  const secret = secretKeyFrom(settings.secretKey ?? (await readOrMakeSecret(settings.dataDir)));
  const bus = settings.natsUrl === null ? createInProcessBus() : await connectNatsBus(settings.natsUrl);
  closers.push(bus.close);
  const from = senderAt(settings.publicUrl === null ? 'localhost' : new URL(settings.publicUrl).hostname);
  const mailer =
    settings.smtpUrl === null ? outboxMailer(join(settings.dataDir, 'outbox'), from, Date.now) : smtpMailer(settings.smtpUrl, from);
  closers.push(async () => mailer.close());
  const metrics = prometheusMetrics(readVersion());
  const app: App = await buildApp({
    settings,
    log,
    database,
    bus: watchedBus(bus, stepMeter(metrics)),
    models: watchedModels(
      createModels({
        serverWide: {
          openai: { apiKey: settings.openaiApiKey, baseUrl: settings.openaiBaseUrl },
          anthropic: { apiKey: settings.anthropicApiKey, baseUrl: settings.anthropicBaseUrl },
        },
        budget: { ledger: createTokenLedger(database.pool), perUser: settings.dailyTokens },
        gigaChat: { authUrl: settings.gigaChatAuthUrl, scope: settings.gigaChatScope },
        allowPrivateHosts: settings.allowPrivateModelHosts,
        simulated: simulatedModel({ durationMs: simulatedAnswerMs }),
      }),
      [modelMeter(metrics)],
    ),
    secret,
    mailer,
    metrics,
    address: () => settings.publicUrl ?? addressOf(app),
    version: readVersion(),
    clientFolder: process.env.ARTEL_CLIENT === 'off' ? null : join(root, 'dist'),
    apiOrigins: originsOf([process.env.VITE_API_PRODUCTION, process.env.VITE_API_FALLBACK]),
    now: Date.now,
  });
  closers.push(() => drain(app));
  await app.start();
  await app.fastify.listen({ port: settings.port, host: settings.host });
  console.log(`Artel is ready at ${addressOf(app)}`);
}

async function drain(app: App): Promise<void> {
  const cut = setTimeout(() => app.fastify.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(cut);
}

async function shutDown(signal: string): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  log.info(`${signal}: stopping`);
  setTimeout(() => process.exit(1), exitMs).unref();
  await closeAll();
  process.exit(0);
}

/** What was opened last is closed first. */
async function closeAll(): Promise<void> {
  for (const close of closers.reverse()) await close().catch((error) => log.error({ err: error }, 'Closing failed'));
  closers.length = 0;
}

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(`Artel cannot start: ${error.message}`);
    process.exit(1);
  }
}

/** Where a person opens it: the public address, else one that works on this machine. */
function addressOf(app: App): string {
  const address = app.fastify.server.address();
  const port = typeof address === 'object' && address ? address.port : settings.port;
  const host = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(settings.host) ? 'localhost' : settings.host;
  return `http://${host}:${port}`;
}

function originsOf(urls: readonly (string | undefined)[]): string[] {
  return urls.filter((url) => url !== undefined && URL.canParse(url)).map((url) => new URL(url as string).origin);
}
