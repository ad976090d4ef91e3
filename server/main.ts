import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from './app.ts';
import { type Closing, closeInOrder } from './close-in-order.ts';
import { makeLogger } from './logging.ts';
import { plainReason } from './plain-reason.ts';
import { migrateAt } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { OperatorServersError, operatorServersWarnings, readOperatorServers } from './platform/mcp/operator-servers.ts';
import { removeOldToolFolders } from './platform/mcp/tool-folders.ts';
import { openPriceList } from './platform/prices/price-list.ts';
import { PriceError } from './platform/prices/read-prices.ts';
import { readSettings, SettingsError, settingNames, settingsWarnings } from './settings.ts';

const root = join(import.meta.dirname, '..');
/** The time that current requests have to finish; then their connections are closed (ms). */
const requestsMs = 4_000;
/**
 * The time limits of closing each resource (ms), without the time for running model calls. Their sum, with those of `assemble-app.ts`, is less
 * than `exitMs`, after which the process exits in any case.
 */
const closeMs = { app: 6_200, database: 1_500 };
const exitMs = 9_500;

const settings = orExit(() => readSettings(process.env), SettingsError);
const operatorServers = orExit(() => readOperatorServers(settings.toolServersFile, process.env, settingNames), OperatorServersError);
const prices = orExit(() => openPriceList(settings.pricesFile), PriceError);
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
  // Most modules are loaded while PostgreSQL starts in processes of its own. An external one answers sooner: loading would only delay its
  // answer, maybe beyond the time limit.
  const loading = settings.databaseUrl === null ? loadAssembly() : null;
  // A failure is thrown where the modules are awaited.
  loading?.catch(() => {});
  const database = await openDatabase(
    settings.databaseUrl === null
      ? { kind: 'embedded', dataDir: settings.dataDir }
      : { kind: 'external', url: settings.databaseUrl, waitMs: settings.waitSeconds * 1_000, signal: stopping.signal },
    note,
  );
  closings.push({ what: 'the database', limitMs: closeMs.database, close: database.close });
  await migrateAt(database.connectionString, join(root, 'server', 'migrations'));
  const { assembleApp, addressOf } = await (loading ?? loadAssembly());
  const built = await assembleApp({ settings, operatorServers, prices, log, database, closings, note });
  app = built;
  closings.push({ what: 'the server', limitMs: closeMs.app + settings.drainSeconds * 1_000, close: () => drain(built) });
  await built.start();
  await built.fastify.listen({ port: settings.port, host: settings.host });
  console.log(`Artel is ready at ${addressOf(built, settings)}`);
}

function loadAssembly() {
  return import('./assemble-app.ts');
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
