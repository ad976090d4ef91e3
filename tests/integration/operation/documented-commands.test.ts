import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNats } from '../../../scripts/cluster/local-nats.ts';
import { startLocalPostgres } from '../../../scripts/cluster/local-postgres.ts';
import { freePort } from '../../../server/platform/database/embedded/free-port.ts';
import { copyCheckout } from '../../support/docs/copied-checkout.ts';
import { sandboxes } from '../../support/runner/start-runner.ts';

/**
 * The commands of the documents that no other test executes, as they stand there, in a checkout whose folder has a space and Cyrillic letters in its
 * name. `tests/support/docs/command-proofs.ts` says which they are.
 */
let copy: Awaited<ReturnType<typeof copyCheckout>>;
beforeAll(async () => {
  copy = await copyCheckout();
});
afterAll(() => copy.remove());
/** A busy machine needs minutes to build the client. */
const inTime = 400_000;
const readyLine = /^(?:Artel|The cluster) is ready at (http\S+)$/m;

/** Runs a command that ends, and returns what it prints. */
async function execute(command: string, settings: Record<string, string> = {}): Promise<string> {
  const { ended, output } = copy.run(command, settings);
  expect([command, await ended, output()]).toEqual([command, 0, expect.anything()]);
  return output();
}

/** Runs a command that starts a server, and ends it behind `use`, which gets its address. */
async function serve(command: string, settings: Record<string, string> = {}, use: (url: string) => Promise<void> = async () => {}) {
  const server = copy.run(command, { PORT: '0', ...settings });
  try {
    await server.printed(readyLine);
    const [, url = ''] = readyLine.exec(server.output()) ?? [];
    expect([command, server.output(), url]).toEqual([command, expect.anything(), expect.stringContaining('http')]);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    await use(url);
  } finally {
    await server.stop();
  }
}

async function signUp(url: string, email: string): Promise<void> {
  const person = { email, password: 'a long quiet river', name: 'Ann' };
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/api/auth/register`, { method: 'POST', headers, body: JSON.stringify(person) });
  expect(status).toBe(201);
}

test(
  'R10.01 npm install and npm start serve the page, and accounts are exported and deleted and all is backed up beside the server',
  async () => {
    await execute('cp deploy/compose.env.example compose.env');
    await execute('npm install', { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' });
    await serve('npm start', {}, async (url) => {
      expect(await (await fetch(url)).text()).toContain('<script type="module"');
      await signUp(url, 'ann@example.org');
      expect(await execute('npm run account -- export ann@example.org ann.zip')).toContain('Exported the account');
      expect(existsSync(join(copy.path, 'ann.zip'))).toBe(true);
      expect(await execute('npm run backup -- artel.backup')).toContain('Backed up');
      expect(await execute('npm run account -- delete ann@example.org')).toContain('is locked');
      expect(await execute('npm run account -- delete ann@example.org --now')).toContain('is removed');
    });
    // The database is lost, and the secret is kept.
    await rename(join(copy.path, 'data', 'postgres'), join(copy.path, 'data', 'lost'));
    expect(await execute('npm run restore -- artel.backup')).toContain('Restored');
  },
  inTime,
);

test(
  'R10.01 a backup of the embedded database moves to an own PostgreSQL by the commands of the document',
  async () => {
    const own = await startLocalPostgres(join(copy.path, 'own'));
    try {
      const moved = 'export DATABASE_URL=postgresql://artel:...@db.example/artel ARTEL_SECRET_KEY=$(cat data/secret.key)';
      const settings = moved.replace('postgresql://artel:...@db.example/artel', own.url);
      expect(await execute(`${settings}\nnpm run restore -- artel.backup`)).toContain('Restored');
      await serve(`${settings}\nexec npm start`, { DATA_DIR: 'moved' });
      expect(existsSync(join(copy.path, 'moved', 'postgres'))).toBe(false);
    } finally {
      await own.stop();
    }
  },
  inTime,
);

test.each([
  'OPENAI_API_KEY=sk-... npm start',
  'OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_API_KEY=any npm start',
  'ARTEL_RUNNER_URL=http://127.0.0.1:5002/jobs ARTEL_RUNNER_TOKEN=at-least-16-characters npm start',
  'ARTEL_RUNNER_URL=https://runner.internal.example/jobs ARTEL_RUNNER_TOKEN=at-least-16-characters npm start',
  'HTTPS_PROXY=http://proxy.firm.lan:3128 HTTP_PROXY=http://proxy.firm.lan:3128 NO_PROXY=.firm.lan,10.0.0.0/8 npm start',
  'HTTPS_PROXY=http://proxy.firm.lan:3128 ARTEL_PROXY_HOSTS=devices.sberbank.ru=direct npm start',
  "ARTEL_ALLOW_PRIVATE_HOSTS='gitlab.firm.lan, *.lab.firm.lan, 10.2.0.0/16' npm start",
  'NODE_EXTRA_CA_CERTS=/etc/ssl/firm-root.pem npm start',
  'NODE_EXTRA_CA_CERTS=/etc/ssl/russian-trusted-root-ca.pem npm start',
])('R10.01 a server starts by %s', (command) => serve(command), inTime);

test
  .skipIf(sandboxes.length === 0)
  .each([
    'npm run runner',
    "ARTEL_RUNNER_REGISTRIES='usual, codeload.github.com, *.packages.example.com, npm.example.com:8443, npm.internal.example=10.1.2.3' npm run runner",
  ])(
  'C5.05 a runner starts by %s',
  async (command) => {
    const runner = copy.run(command, { ARTEL_RUNNER_PORT: String(await freePort()), ARTEL_RUNNER_SANDBOX: sandboxes[0] as string });
    await runner.printed(/runner listens on/);
    expect(runner.output()).toContain('runner listens on');
    await runner.stop();
  },
  inTime,
);

test.skipIf(findNats() === null)('R10.01 a cluster starts by npm run cluster', () => serve('npm run cluster'), inTime);

test.each([
  ['git archive --format=zip -o shop.zip HEAD', 'README.md'],
  ['git archive --format=zip -o shop.zip HEAD src', 'src/app.ts'],
])('G3.09 a repository becomes a ZIP by %s', async (command, file) => {
  const begun = 'rm -rf shop && mkdir -p shop/src && cd shop && git init -q && touch README.md src/app.ts && git add .';
  const committed = "git -c user.name=Ann -c user.email=ann@example.org commit -qm 'Begin'";
  expect(await execute(`${begun} && ${committed}\n${command}\nunzip -l shop.zip || tar -tf shop.zip`)).toContain(file);
});
