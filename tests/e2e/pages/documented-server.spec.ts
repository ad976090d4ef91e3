import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { translate } from '../../support/browser/translate.ts';
import { sectionOf, shellCommands } from '../../support/docs/shell-commands.ts';
import { copyRepository } from '../../support/repository-copy.ts';

const readyLine = /^Artel is ready at (http\S+)$/m;

const readDocument = () => readFileSync(join(import.meta.dirname, '../../../docs/operation.md'), 'utf8');

test('R10.01 the lines of docs/operation.md make a server that starts, and serves its page, without the build tools', {
  tag: '@rest',
}, async ({ page }) => {
  // It builds the product.
  test.slow();
  const [prepare = '', start = '', ...more] = shellCommands(sectionOf(readDocument(), 'A server without build tools'));
  expect([prepare.split(' && ').length, start, more]).toEqual([3, 'npm start', []]);
  const repository = await copyRepository();
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ARTEL_LOCAL_MODELS: 'off' },
    // The packages are there already.
    ...{ npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' },
  };
  const options = { cwd: repository.path, env };
  const modules = join(repository.path, 'modules.txt');
  try {
    await promisify(execFile)('/bin/sh', ['-c', prepare], options);
    expect(existsSync(join(repository.path, 'node_modules', 'vite'))).toBe(false);

    // npm gives these options to the script, not to itself.
    const record = { npm_config_node_options: '--import=./tests/support/record-modules.ts', ARTEL_TEST_MODULES: modules };
    const server = spawn('/bin/sh', ['-c', start], {
      ...options,
      env: { ...env, ...record },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(server, 'close');
    let output = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += String(text)));
    try {
      const isSettled = () => server.exitCode !== null || readyLine.test(output);
      await expect.poll(isSettled, { timeout: 110_000 }).toBe(true);
      const address = readyLine.exec(output)?.[1];
      expect(address, output).toBeDefined();
      expect(output).not.toContain('Building');
      expect((await fetch(`${address}/ready`)).status).toBe(200);
      // The bundle, and the scripts that have checked it. The sources of the server are more than 700 files.
      const files = readFileSync(modules, 'utf8')
        .split('\n')
        .filter((url) => url.startsWith('file:'));
      expect(files.filter((url) => /\/artel\/server\/(modules|http)\/(?!pages\/kept-assets)/.test(url))).toEqual([]);
      expect(files.length).toBeLessThanOrEqual(150);
      await page.goto(`${address}/?lang=en`);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(translate('en', 'landing', 'hero.titleFirst'));
    } finally {
      if (server.exitCode === null) process.kill(-(server.pid as number), 'SIGTERM');
      await closed;
    }
  } finally {
    await repository.remove();
  }
});
