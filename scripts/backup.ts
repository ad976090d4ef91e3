import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeParts } from '../server/platform/database/backup/backup-file.ts';
import { partialFile, removeLeftPartials, thisProcess } from '../server/platform/database/backup/partial-files.ts';
import { takeBackup } from '../server/platform/database/backup/take-backup.ts';
import { visitEmbeddedPostgres } from '../server/platform/database/embedded/embedded-postgres.ts';
import { readMigrations } from '../server/platform/database/migrate.ts';
import { claimName, flushFolder } from '../server/platform/files/write-whole-file.ts';
import { fingerprintOf, readSecret } from '../server/platform/secrets/secret-key.ts';
import { readVersion } from '../server/read-version.ts';
import type { Settings } from '../server/settings.ts';
import { calledAs, runCommand } from './backup/run-command.ts';

/** `npm run backup -- FILE`: writes a snapshot of all data of the server with these settings, running or not. */
await runCommand({
  name: 'Backup',
  usage: `say where to: ${calledAs('backup')} FILE [--with-secret] [--force]`,
  flags: ['with-secret', 'force'],
  run: async ({ file, flags, settings, signal }) => {
    if (!flags.force && (await stat(file).catch(() => null))) throw new Error(isThere(file));
    const secret = settings.secretKey ?? (await readSecret(settings.dataDir));
    if (secret === null)
      throw new Error(`There is no secret.key in ${settings.dataDir}: set ARTEL_SECRET_KEY to what the server runs with.`);
    const withSecret = flags['with-secret'];
    const migrations = await readMigrations(join(import.meta.dirname, '..', 'server', 'migrations'));
    const database = await openSource(settings);
    let copied = { tables: 0, rows: 0 };
    const left = await removeLeftPartials(file, thisProcess);
    const partial = partialFile(file, thisProcess);
    try {
      const parts = takeBackup({
        connection: database.connection,
        migrations,
        signal,
        about: {
          createdAt: new Date().toISOString(),
          version: readVersion(),
          secret: { check: fingerprintOf(secret), ...(withSecret && { value: secret }) },
        },
        onDone: (done) => {
          copied = done;
        },
      });
      await pipeline(writeParts(parts), createGzip(), createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }), { signal });
      await (flags.force ? rename(partial, file) : claimName(partial, file));
      await flushFolder(dirname(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new Error(isThere(file));
      throw isOfFile(error, partial) ? Object.assign(error, { path: file }) : error;
    } finally {
      await rm(partial, { force: true });
      await database.leave();
    }
    const { size } = await stat(file);
    return [
      `Backed up ${copied.rows} rows of ${copied.tables} tables into ${file} (${Math.ceil(size / 1024)} KiB).`,
      withSecret
        ? 'The file holds the secret that opens the stored keys: keep it where only you can read it.'
        : `It can be used only together with the server's secret (${settings.secretKey === null ? join(settings.dataDir, 'secret.key') : 'ARTEL_SECRET_KEY'}): keep that too, apart from the file.`,
      ...(left > 0 ? [`Removed unfinished files of earlier backups of this name: ${left}.`] : []),
    ];
  },
});

function isThere(file: string): string {
  return `${file} is there already: --force replaces it.`;
}

/** Whether an error comes from writing the temporary file: an error of a write names no file. */
function isOfFile(error: unknown, partial: string): error is Error {
  const { syscall, path } = error as NodeJS.ErrnoException;
  return path === partial || (syscall === 'write' && path === undefined);
}

async function openSource(settings: Settings) {
  if (settings.databaseUrl !== null) return { connection: { connectionString: settings.databaseUrl }, leave: async () => {} };
  const postgres = await visitEmbeddedPostgres(settings.dataDir, console.error);
  return { connection: postgres.connection, leave: postgres.stop };
}
