import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type BuiltStage, buildImage } from '../../support/image/build-image.ts';
import { startImage } from '../../support/image/start-image.ts';
import { sandboxes, startRunner } from '../../support/runner/start-runner.ts';
import { setUpFolder } from '../../support/set-up/for-vitest.ts';

type Package = { scripts: Record<'backup' | 'nightly-backup' | 'restore' | 'account', string> };

const folder = setUpFolder();
let image: BuiltStage;

beforeAll(async () => {
  image = (await buildImage('Dockerfile', join(folder.path, 'image'), { runs: true })).at(-1) as BuiltStage;
}, 600_000);

test('R10.01 the image is built from the files that it copies, and its command serves page and API', async () => {
  const server = await startImage(image, { settings: { HOST: '127.0.0.1', PORT: '0' }, until: 'Artel is ready at' });
  let code: number | null;
  try {
    const [, url = ''] = /^Artel is ready at (http\S+)$/m.exec(server.output()) ?? [];
    expect([server.output(), url]).toEqual([expect.anything(), expect.stringContaining('http')]);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const check = await startImage(image, { settings: { PORT: new URL(url).port }, run: image.healthCheck, until: '\0' });
    expect([await check.ended, check.output()]).toEqual([0, '']);
    const page = await (await fetch(url)).text();
    const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? [];
    const asset = await fetch(new URL(script, url));
    expect([script, asset.status, asset.headers.get('content-type')]).toEqual([
      expect.stringContaining('assets/'),
      200,
      expect.stringContaining('javascript'),
    ]);
  } finally {
    code = await server.stop();
  }
  expect(code).toBe(0);
});

test('R10.01 an operator backs up, restores and exports in the image', async () => {
  const { scripts } = JSON.parse(await readFile(join(image.root, image.workdir, 'package.json'), 'utf8')) as Package;
  const run = async (settings: Record<string, string>, name: keyof Package['scripts'], ...args: string[]) => {
    const { ended, output } = await startImage(image, { settings, run: [...scripts[name].split(' '), ...args], until: '\0' });
    return { code: await ended, output: output() };
  };
  const file = join(folder.path, 'artel.backup');
  expect(await run({}, 'backup', file, '--with-secret')).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(true);
  // Half a day away, so that no second night begins while the test runs.
  const hour = String((new Date().getUTCHours() + 12) % 24);
  const nightly = { ARTEL_BACKUP_FOLDER: join(folder.path, 'backups'), ARTEL_BACKUP_HOUR: hour, TZ: 'UTC' };
  const service = await startImage(image, {
    settings: nightly,
    run: scripts['nightly-backup'].split(' '),
    until: 'The next backup is made at',
  });
  expect([await service.stop(), service.output()]).toEqual([0, expect.stringContaining('Backed up')]);
  expect(await run(nightly, 'nightly-backup', '--check')).toEqual({ code: 0, output: '' });
  expect(await run({ DATA_DIR: join(image.root, 'other') }, 'restore', file)).toMatchObject({ code: 0 });
  expect(await run({}, 'account', 'export', 'none@example.com', 'none.zip')).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no account'),
  });
});

test.skipIf(sandboxes.length === 0)('C5.05 the image of the runner executes a command with the files that it copies', async () => {
  const runnerImage = (await buildImage('deploy/runner/Dockerfile', join(folder.path, 'runner'), { runs: true })).at(-1) as BuiltStage;
  const runner = await startRunner(
    { ARTEL_RUNNER_SANDBOX: sandboxes.at(-1) as string },
    { command: runnerImage.command, cwd: join(runnerImage.root, runnerImage.workdir) },
  );
  try {
    expect(await runner.execute({ command: 'echo executed', archive: emptyZip })).toMatchObject({ exitCode: 0, log: 'executed\n' });
  } finally {
    await runner.stop();
  }
});

/** An archive without files. */
const emptyZip = Uint8Array.from([0x50, 0x4b, 5, 6, ...Array.from({ length: 18 }, () => 0)]);
