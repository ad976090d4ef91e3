import { channel } from 'node:diagnostics_channel';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from './app.ts';
import { type Closing, closeInOrder } from './close-in-order.ts';
import { makeLogger } from './logging.ts';
import { openServer } from './open-server.ts';
import { readyChannel } from './own-address.ts';
import { plainReason } from './plain-reason.ts';
import { socketParent } from './platform/database/embedded/postmaster.ts';
import { removeLeftFolders } from './platform/files/owned-folders.ts';
import { OperatorServersError, operatorServersWarnings, readOperatorServers } from './platform/mcp/operator-servers.ts';
import { openPriceList } from './platform/prices/price-list.ts';
import { PriceError } from './platform/prices/read-prices.ts';
import { onStopSignal } from './platform/processes/on-stop-signal.ts';
import { readSettings, SettingsError, settingNames, settingsWarnings } from './settings.ts';

/** The longest stop (ms), without the time for running model calls: more than the time limits of closing each resource together. */
const exitMs = 9_500;

const settings = orExit(() => readSettings(process.env), SettingsError);
const operatorServers = orExit(() => readOperatorServers(settings.toolServersFile, process.env, settingNames), OperatorServersError);
const prices = orExit(() => openPriceList(settings.pricesFile), PriceError);
const log = makeLogger(settings.logLevel, undefined, settings.proxies.secrets);
const stopping = new AbortController();
const closings: Closing[] = [];
let app: App | null = null;

onStopSignal((signal) => void shutDown(signal));
process.on('unhandledRejection', (error) => log.error({ err: error }, 'A rejected promise was not handled'));

for (const parent of new Set([tmpdir(), socketParent()]))
  void removeLeftFolders(['git', 'tool', 'postgres', 'programs'], parent, Date.now());
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
  const { address } = await openServer({
    environment: process.env,
    settings,
    operatorServers,
    prices,
    log,
    closings,
    note,
    signal: stopping.signal,
    onBuilt: (built) => {
      app = built;
    },
  });
  const { port } = new URL(address);
  if (settings.takesNextPort && settings.port !== 0 && port !== String(settings.port))
    console.log(`Port ${settings.port} is taken, so Artel takes ${port}.`);
  console.log(`Artel is ready at ${address}`);
  channel(readyChannel).publish(address);
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
    console.error(`Artel cannot start: ${plainReason(error)}`);
    process.exit(1);
  }
}
