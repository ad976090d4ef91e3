import { join } from 'node:path';
import type { App } from './app.ts';
import type { AssemblyDeps } from './assemble-app.ts';
import { listen } from './listen.ts';
import { migrateAt } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { repeatWhenLost } from './platform/database/repeat-when-lost.ts';

const root = join(import.meta.dirname, '..');
/** The time that current requests have to finish; then their connections are closed (ms). */
const requestsMs = 4_000;
/**
 * The time limits of closing each resource (ms), without the time for running model calls. Their sum, with those of `assemble-app.ts`, is less
 * than the time after which a stopping process exits in any case.
 */
const closeMs = { app: 6_200, database: 1_500 };

type ServerStart = Omit<AssemblyDeps, 'database'> & {
  /** Ends the wait for a database that does not answer yet. */
  signal: AbortSignal;
  /** Called before the server takes its first request. */
  onBuilt?: (app: App) => void;
};

/** Opens and migrates the database, and resolves when a server that is built on it listens and is ready. */
export async function openServer({ signal, onBuilt, ...deps }: ServerStart): Promise<{ app: App; address: string }> {
  const { settings, closings, note } = deps;
  // Most modules are loaded while PostgreSQL starts in processes of its own. An external one answers sooner: loading would only delay its
  // answer, maybe beyond the time limit.
  const loading = settings.databaseUrl === null ? loadAssembly() : null;
  // A failure is thrown where the modules are awaited.
  loading?.catch(() => {});
  const database = await openDatabase(
    settings.databaseUrl === null
      ? { kind: 'embedded', dataDir: settings.dataDir }
      : { kind: 'external', url: settings.databaseUrl, waitMs: settings.waitSeconds * 1_000, signal },
    note,
  );
  closings.push({ what: 'the database', limitMs: closeMs.database, close: database.close });
  const migrations = join(root, 'server', 'migrations');
  await repeatWhenLost(() => migrateAt(database.connectionString, migrations), database.untilAnswers);
  const { assembleApp, addressOf } = await (loading ?? loadAssembly());
  const app = await assembleApp({ ...deps, database });
  onBuilt?.(app);
  closings.push({ what: 'the server', limitMs: closeMs.app + settings.drainSeconds * 1_000, close: () => drain(app) });
  await app.start();
  await listen(app.fastify, settings);
  return { app, address: addressOf(app, settings) };
}

function loadAssembly() {
  return import('./assemble-app.ts');
}

async function drain({ fastify, close }: App): Promise<void> {
  const cut = setTimeout(() => fastify.server.closeAllConnections(), requestsMs);
  await close();
  clearTimeout(cut);
}
