import { join } from 'node:path';
import { restoreBackup, verifyBackup } from '../server/platform/database/backup/restore-backup.ts';
import { startEmbeddedPostgres } from '../server/platform/database/embedded/embedded-postgres.ts';
import { readMigrations } from '../server/platform/database/migrate.ts';
import { fingerprintOf, readSecret, writeSecret } from '../server/platform/secrets/secret-key.ts';
import type { Settings } from '../server/settings.ts';
import { calledAs, runCommand } from './backup/run-command.ts';

/** `npm run restore -- FILE`: loads a backup into the database of these settings, completely or not at all. No server may use it. */
await runCommand({
  name: 'Restore',
  usage: `say what from: ${calledAs('restore')} FILE [--replace] [--other-secret]`,
  flags: ['replace', 'other-secret'],
  run: async ({ file, flags, settings, signal }) => {
    const migrations = await readMigrations(join(import.meta.dirname, '..', 'server', 'migrations'));
    const { createdAt, secret } = await verifyBackup(file, migrations);
    const own = settings.secretKey ?? (await readSecret(settings.dataDir));
    const brought = own === null ? (secret.value ?? null) : null;
    if (!flags['other-secret']) refuseOtherSecret(own ?? brought, secret.check, settings);
    const target = await openTarget(settings);
    try {
      const { tables, rows } = await restoreBackup(file, { connection: target.connection, migrations, replace: flags.replace, signal });
      if (brought !== null) await writeSecret(settings.dataDir, brought);
      return [`Restored ${rows} rows of ${tables} tables, as they were at ${createdAt}.`];
    } finally {
      await target.leave();
    }
  },
});

async function openTarget(settings: Settings) {
  if (settings.databaseUrl !== null) return { connection: { connectionString: settings.databaseUrl }, leave: async () => {} };
  const postgres = await startEmbeddedPostgres(settings.dataDir, console.error);
  return { connection: postgres.connection, leave: postgres.stop };
}

function refuseOtherSecret(secret: string | null, check: string, settings: Settings): void {
  if (secret !== null && fingerprintOf(secret) === check) return;
  const place = settings.databaseUrl === null ? `ARTEL_SECRET_KEY, or as ${join(settings.dataDir, 'secret.key')}` : 'ARTEL_SECRET_KEY';
  throw new Error(
    `the backup belongs to another secret. Give the secret of the server that it was made from in ${place}. ` +
      "With --other-secret it is restored all the same: then agents' own model keys have to be entered again.",
  );
}
