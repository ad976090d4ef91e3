import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { takeBackHours } from '../contract/account.ts';
import {
  createZipStream,
  exportAccount,
  type FoundAccount,
  fenceWork,
  findAccount,
  lockAccount,
  removeAccount,
  versionsForExport,
} from '../server/modules/accounts/index.ts';
import { VersionService } from '../server/modules/projects/index.ts';
import { visitEmbeddedPostgres } from '../server/platform/database/embedded/embedded-postgres.ts';
import { openPools, type Pools } from '../server/platform/database/open-pools.ts';
import { claimName } from '../server/platform/files/write-whole-file.ts';
import { senderAt } from '../server/platform/mail/mailer.ts';
import { outboxMailer } from '../server/platform/mail/outbox-mailer.ts';
import { forgetGroups } from '../server/platform/work-queue/pg-boss/job-table.ts';
import { readSettings, type Settings } from '../server/settings.ts';
import { calledAs, fileFrom, runScript } from './backup/run-command.ts';

const usage = `say what: ${calledAs('account')} export ADDRESS FILE, or ${calledAs('account')} delete ADDRESS [--now]`;
const hourMs = 3_600_000;

/** `npm run account`: exports or deletes the account with an address, beside a running server or without one. G8.10 */
await runScript('Account', async (signal) => {
  const { positionals, values } = parseArgs({ options: { now: { type: 'boolean', default: false } }, allowPositionals: true });
  const [action, address, file, ...more] = positionals;
  const isExport = action === 'export' && file !== undefined && !values.now;
  const isDeletion = action === 'delete' && file === undefined;
  if (address === undefined || more.length > 0 || !(isExport || isDeletion)) throw new Error(usage);
  const settings = readSettings(process.env);
  const database = await openDatabase(settings);
  try {
    const account = await findAccount(database.pools.pool, address);
    if (!account) throw new Error(`There is no account with the address ${address}.`);
    if (isExport) return await writeExport(database.pools, settings, account, { file: fileFrom(file), signal });
    return await (values.now ? removeNow : lock)(database.pools, settings, account);
  } finally {
    await database.leave();
  }
});

async function writeExport(
  { pool, db, reads }: Pools,
  { keepVersionsDays: keepDays, maxVersionsBytes: maxBytes }: Settings,
  { id: userId, email, language }: FoundAccount,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<string[]> {
  const isThere = `${file} is there already.`;
  if (await stat(file).catch(() => null)) throw new Error(isThere);
  const partial = `${file}.${process.pid}.partial`;
  const versions = new VersionService({ db, reads, keepDays, maxBytes, resolve: async (_userId, id) => id });
  const zip = createZipStream();
  const read = exportAccount({ pool, version: versionsForExport(versions), inTurn: (query) => query() }, zip, { userId, language });
  const ended = read.then(zip.end, zip.fail);
  try {
    await pipeline(zip.output, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }), { signal });
    await ended;
    await claimName(partial, file);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new Error(isThere) : error;
  } finally {
    await rm(partial, { force: true });
  }
  return [`Exported the account ${email} into ${file} (${Math.ceil((await stat(file)).size / 1024)} KiB). Its keys are not in it.`];
}

async function lock({ pool }: Pools, _settings: Settings, { id, email }: FoundAccount): Promise<string[]> {
  const until = await lockAccount(pool, id, new Date(Date.now() + takeBackHours * hourMs), { isFinal: false });
  return [
    `The account ${email} is locked. Its owner can take it back by signing in until ${until.toISOString()}; then a running server removes it.`,
    'A running server stops its runs within a minute.',
  ];
}

async function removeNow({ pool, work }: Pools, { dataDir, smtpUrl }: Settings, { id, email }: FoundAccount): Promise<string[]> {
  await lockAccount(pool, id, new Date(), { isFinal: true });
  await fenceWork(pool, id);
  const outbox = outboxMailer(join(dataDir, 'outbox'), senderAt('localhost'), Date.now);
  const forgetEmails = smtpUrl === null ? outbox.forget : async () => {};
  await removeAccount({ pool: work.pool, forgetEmails, forgetGroups }, id);
  return [`The account ${email} and everything in it is removed. Backups that were made before still have it.`];
}

async function openDatabase(settings: Settings): Promise<{ pools: Pools; leave: () => Promise<void> }> {
  if (settings.databaseUrl !== null) {
    const { end, ...pools } = openPools({ connectionString: settings.databaseUrl }, console.error);
    return { pools, leave: end };
  }
  const postgres = await visitEmbeddedPostgres(settings.dataDir, console.error);
  const { end, ...pools } = openPools(postgres.connection, console.error);
  return {
    pools,
    leave: async () => {
      await end();
      await postgres.stop();
    },
  };
}
