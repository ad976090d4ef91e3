import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { furnishAccount, plantedWord, tablesWith } from '../../support/account-with-everything.ts';
import { callerOf, signUp } from '../../support/call-api.ts';
import { signUp as signUpToRun } from '../../support/run-account.ts';
import { startScript } from '../../support/run-script.ts';
import { setUpFolder, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { unzip } from '../../support/unzip.ts';

const { database, server } = setUpServerOnDatabase();
const folder = setUpFolder();
const run = (...args: string[]) =>
  startScript('account', args, { DATABASE_URL: database.connectionString, DATA_DIR: server.dataDir, ARTEL_SECRET_KEY: 'x'.repeat(40) })
    .done;

test('G8.10 the operator exports an account by its address, and removes it at once while the server runs', async () => {
  const ann = await signUpToRun(server.url, 'ru');
  const { projectId } = await furnishAccount(ann, database.pool);
  const file = join(folder.path, 'ann.zip');
  expect(await run('export', ann.email.toUpperCase(), file)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Exported the account'),
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const files = await unzip(await readFile(file));
  expect(files.get('README.txt')?.toString()).toContain('Ваш аккаунт в Артели');
  expect(files.get('thoughts.json')?.toString()).toContain(plantedWord);
  expect(await run('export', ann.email, file)).toMatchObject({ code: 1, output: expect.stringContaining('is there already') });

  const busy = await ann.start(await ann.pipeline('assistant', 'developer'), plantedWord);
  expect(await run('delete', ann.email, '--now')).toMatchObject({ code: 0, output: expect.stringContaining('is removed') });
  expect(await tablesWith(database.pool, [ann.userId, ann.email, plantedWord, projectId, busy.id])).toEqual([]);
  const folderNames = await readdir(folder.path);
  expect(folderNames.filter((name) => name.includes('partial'))).toEqual([]);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});

test('G8.10 without --now the account is locked for a day, and its owner takes it back by signing in', async () => {
  const member = await signUp(server.url);
  expect(await run('delete', member.email)).toMatchObject({ code: 0, output: expect.stringContaining('is locked') });
  expect(await member.refused('auth.profile')).toMatchObject({ status: 401 });
  const { accessToken } = await callerOf(server.url).ask('auth.login', { body: { email: member.email, password: 'a quiet long phrase' } });
  const back = callerOf(server.url, accessToken);
  expect(await back.refused('project.list')).toMatchObject({ code: 'account_leaving' });
  await back.ask('account.takeBack');
  expect(await back.ask('project.list')).toHaveLength(1);
});

test.each([
  [['delete', 'none@example.com'], 'There is no account with the address none@example.com.'],
  [['delete'], 'say what'],
  [['export', 'a@example.com'], 'say what'],
  [['export', 'a@example.com', 'x.zip', '--now'], 'say what'],
  [['remove', 'a@example.com'], 'say what'],
])('G8.10 the command %j changes nothing, and says why', async (args, why) => {
  expect(await run(...args)).toMatchObject({ code: 1, output: expect.stringContaining(`Account failed: ${why}`) });
});
