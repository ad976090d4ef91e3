import { join } from 'node:path';
import { type App, buildApp } from './app.ts';
import type { Closing } from './close-in-order.ts';
import type { ServicesDeps } from './create-services.ts';
import { keepAssets } from './http/pages/kept-assets.ts';
import { readIntervals } from './intervals.ts';
import { ownAddress } from './own-address.ts';
import { plainReason } from './plain-reason.ts';
import type { Bus } from './platform/bus/bus.ts';
import { onStepEnd } from './platform/bus/ended-step.ts';
import { createInProcessBus } from './platform/bus/in-process-bus.ts';
import type { Database } from './platform/database/database.ts';
import { repeatWhenLost } from './platform/database/repeat-when-lost.ts';
import { createModels } from './platform/llm/choose-model.ts';
import { createModelTraits } from './platform/llm/model-traits.ts';
import { observeModels } from './platform/llm/observe-models.ts';
import { simulatedModel } from './platform/llm/simulated/simulated-model.ts';
import { type Mailer, senderAt } from './platform/mail/mailer.ts';
import { outboxMailer } from './platform/mail/outbox-mailer.ts';
import { modelMeter, stepMeter } from './platform/metrics/meters.ts';
import { prometheusMetrics } from './platform/metrics/prometheus-metrics.ts';
import { readOrMakeSecret, secretKeyFrom } from './platform/secrets/secret-key.ts';
import type { Traces } from './platform/traces/traces.ts';
import { PgBossQueue } from './platform/work-queue/pg-boss/pg-boss-queue.ts';
import { readCommit, readRepository, readVersion } from './read-version.ts';
import { isLocalOnly, localModelOrigins, type Settings } from './settings.ts';

export type AssemblyDeps = Pick<ServicesDeps, 'settings' | 'operatorServers' | 'prices' | 'log' | 'database'> & {
  /** The variables that are no settings of an operator. */
  environment: Record<string, string | undefined>;
  /** Gets each resource that is opened. */
  closings: Closing[];
  /** Gets messages for the operator. */
  note: (line: string) => void;
};

const root = join(import.meta.dirname, '..');
/** The time limits of closing each resource (ms). */
const closeMs = { bus: 500, mailer: 500, metrics: 100, traces: 700 };

/** Opens what the server needs beside its migrated database, as the settings say, and builds the server from it. */
export async function assembleApp(deps: AssemblyDeps): Promise<App> {
  const { environment, settings, operatorServers, prices, log, database, closings } = deps;
  const secret = secretKeyFrom(settings.secretKey ?? (await readOrMakeSecret(settings.dataDir, () => isUnused(database))));
  const bus = await openBus(deps);
  closings.push({ what: 'the bus', limitMs: closeMs.bus, close: bus.close });
  const mailer = await openMailer(settings);
  closings.push({ what: 'the mailer', limitMs: closeMs.mailer, close: async () => mailer.close() });
  const intervals = readIntervals(environment);
  const clientFolder = environment.ARTEL_CLIENT === 'off' ? null : join(root, 'dist');
  const metrics = prometheusMetrics(readVersion());
  closings.push({ what: 'metrics', limitMs: closeMs.metrics, close: async () => metrics.close() });
  const traces = await openTraces(deps);
  onStepEnd(bus, traces ? [stepMeter(metrics), traces.step] : [stepMeter(metrics)]);
  const traits = createModelTraits(database.work.db, (about) => log.info(about, 'A model server takes a call in another form.'));
  const built = await buildApp({
    settings,
    log,
    database,
    queue: new PgBossQueue({
      pool: database.queue,
      heartbeats: database.heartbeats,
      connectionString: database.connectionString,
      isAlone: database.embedded,
      intervals,
      log,
    }),
    bus,
    models: observeModels(
      createModels({
        serverWide: {
          openai: { apiKey: settings.openaiApiKey, baseUrl: settings.openaiBaseUrl },
          anthropic: { apiKey: settings.anthropicApiKey, baseUrl: settings.anthropicBaseUrl },
        },
        lendsToUnverified: isLocalOnly(settings),
        callsPerKey: settings.callsPerKey,
        gigaChat: { authUrl: settings.gigaChatAuthUrl, scope: settings.gigaChatScope },
        allowPrivateHosts: settings.allowPrivateHosts,
        proxies: settings.proxies,
        openOrigins: localModelOrigins(settings),
        traits,
        simulated: simulatedModel({ durationMs: settings.simulatedAnswerMs }),
      }),
      traces ? [modelMeter(metrics), traces.modelCall] : [modelMeter(metrics)],
    ),
    traits,
    prices,
    secret,
    mailer,
    operatorServers,
    metrics,
    traces,
    address: () => settings.publicUrl ?? addressOf(built, settings),
    version: readVersion(),
    commit: readCommit(),
    repository: readRepository(),
    clientFolder,
    keptAssets: clientFolder === null ? null : await storeAssets(clientFolder, deps),
    questionWatchMs: intervals.questionWatchMs,
    leavingWatchMs: intervals.leavingWatchMs,
    telegramPauseMs: intervals.telegramPauseMs,
    apiOrigins: originsOf([environment.VITE_API_PRODUCTION, environment.VITE_API_FALLBACK]),
    now: Date.now,
  });
  return built;
}

/** Returns the address to open in a browser: the public one, else one that works on this machine. */
export function addressOf(app: App, settings: Settings): string {
  const address = app.fastify.server.address();
  const port = typeof address === 'object' && address ? address.port : settings.port;
  return ownAddress(settings.host, port);
}

/** Stores this build's assets beside those of earlier builds, and returns the folder; null if the data folder cannot be written. */
async function storeAssets(clientFolder: string, { settings, note }: AssemblyDeps): Promise<string | null> {
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
async function isUnused({ pool, untilAnswers }: Database): Promise<boolean> {
  const { rowCount } = await repeatWhenLost(() => pool.query('SELECT 1 FROM users LIMIT 1'), untilAnswers);
  return rowCount === 0;
}

/** Loads the client of NATS only for a cluster, since it makes every start slower. */
async function openBus({ settings, note }: AssemblyDeps): Promise<Bus> {
  if (settings.natsUrl === null) return createInProcessBus();
  const { connectNatsBus } = await import('./platform/bus/nats-bus.ts');
  return connectNatsBus(settings.natsUrl, note);
}

/** Loads the mail client only when a mail server is set, since it makes every start slower. */
async function openMailer(settings: Settings): Promise<Mailer> {
  const from = senderAt(settings.publicUrl === null ? 'localhost' : new URL(settings.publicUrl).hostname);
  if (settings.smtpUrl === null) return outboxMailer(join(settings.dataDir, 'outbox'), from, Date.now);
  const { smtpMailer } = await import('./platform/mail/smtp-mailer.ts');
  return smtpMailer(settings.smtpUrl, from);
}

/** Loads the traces only when they are on, since they make every start slower. */
async function openTraces({ settings, closings, note }: AssemblyDeps): Promise<Traces | null> {
  if (settings.tracesEndpoint === null) return null;
  const { otlpTraces } = await import('./platform/traces/otlp-traces.ts');
  const traces = otlpTraces({ version: readVersion(), note });
  closings.push({ what: 'traces', limitMs: closeMs.traces, close: traces.close });
  return traces;
}

function originsOf(urls: readonly (string | undefined)[]): string[] {
  return urls.filter((url) => url !== undefined && URL.canParse(url)).map((url) => new URL(url as string).origin);
}
