import { execFile } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../server/platform/database/embedded/free-port.ts';
import { startImage } from '../../support/image/start-image.ts';
import { signUp } from '../../support/run-account.ts';
import { sandboxes } from '../../support/runner/start-runner.ts';
import { sampleDocx } from '../../support/services/sample-documents.ts';
import { setUpFolder } from '../../support/set-up/for-vitest.ts';

/**
 * The packed package below `node_modules`, beside the packages of this checkout, in a folder whose name has a space, Cyrillic letters, `$`, `#` and `%`. A
 * start by `npx` installs the same with the packages that package.json names.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const readyLine = /^Artel is ready at (http\S+)$/m;
const folder = setUpFolder();
let place = '';
let installed = '';
let listed: string[] = [];

beforeAll(async () => {
  const pack = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder.path], { cwd: root, maxBuffer: 2 ** 24 });
  const [{ filename, files }] = JSON.parse(pack.stdout.slice(pack.stdout.indexOf('[\n'))) as [
    { filename: string; files: { path: string }[] },
  ];
  listed = files.map(({ path }) => path);
  place = join(folder.path, 'Моя $папка #1 %20');
  installed = join(place, 'node_modules', 'artel');
  await mkdir(installed, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', join(folder.path, filename), '-C', installed, '--strip-components', '1']);
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.'))) {
    symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
  }
}, 600_000);

/** Runs the command `artel` with these words until it prints `until` or ends. */
const artel = (words: string[], { settings = {}, until = '\0' }: { settings?: Record<string, string>; until?: string } = {}) =>
  startImage(
    { root: place, workdir: '.', env: {}, command: ['node', join(installed, 'build/scripts/package/artel.js'), ...words] },
    { settings, until },
  );

/** The links of the help that lead to no page or no heading, and its pages that hold a script, which the server would not let run. */
async function brokenLinks(start: string): Promise<string[]> {
  const pages = new Map<string, string>();
  const links: [string, URL][] = [];
  const open = async (address: string) => {
    const answer = await fetch(address, { headers: { accept: 'text/html' } });
    pages.set(address, answer.ok ? await answer.text() : '');
    const page = answer.headers.get('content-type')?.startsWith('text/html') ? (pages.get(address) ?? '') : '';
    const targets = [...page.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, target = '']) => new URL(target, address));
    for (const target of targets.filter(({ origin }) => origin === new URL(start).origin)) {
      links.push([address, target]);
      if (!pages.has(withoutHash(target))) await open(withoutHash(target));
    }
  };
  await open(start);
  await open(new URL('/llms.txt', start).href);
  expect(pages.size).toBeGreaterThan(20);
  const broken = links.filter(([, { hash, href }]) => {
    const page = pages.get(withoutHash(new URL(href)));
    return !page || (hash !== '' && !page.includes(` id="${decodeURIComponent(hash.slice(1))}"`));
  });
  const unsafe = [...pages].filter(([, page]) => /<script(?![^>]* src=)/.test(page));
  return [...broken.map(([page, { href }]) => `${page} links to ${href}`), ...unsafe.map(([page]) => `${page} holds a script`)];
}

function withoutHash({ href }: URL): string {
  return href.replace(/#.*/, '');
}

test('R10.01 the package holds what it runs, as JavaScript, and nothing else', () => {
  expect(listed.filter((path) => !/^(build\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(path))).toEqual([]);
  const folders = new Set(listed.filter((path) => path.startsWith('build/')).map((path) => path.split('/')[1]));
  expect([...folders].sort()).toEqual(
    [
      'async',
      'contract',
      'deploy',
      'dist',
      'dist-server',
      'locales',
      'package.json',
      'THIRD_PARTY_LICENSES.md',
      'rules',
      'scripts',
      'server',
    ].sort(),
  );
  // The server reads its version and its repository there.
  expect(readFileSync(join(installed, 'build/package.json'), 'utf8')).toBe(readFileSync(join(installed, 'package.json'), 'utf8'));
  const licences = readFileSync(join(installed, 'build/THIRD_PARTY_LICENSES.md'), 'utf8');
  for (const name of ['react', 'pixi.js', 'fastify', '@fontsource-variable/inter']) expect(licences).toContain(`## ${name} - `);
  expect(listed.filter((path) => /\.(ts|tsx|map|tsbuildinfo)$/.test(path) || /\/(tests|data|node_modules)\//.test(path))).toEqual([]);
});

test('R10.01 the page of the package is built for production, whatever the shell of the one who packs it says', () => {
  const scripts = globSync('build/dist/assets/*.js', { cwd: installed });
  expect(scripts.length).toBeGreaterThan(20);
  // Only React's development build has this sentence.
  expect(scripts.filter((name) => readFileSync(join(installed, name), 'utf8').includes('Invalid hook call'))).toEqual([]);
});

test('R10.01 every module and program that a file of the package names is there', () => {
  const missing: string[] = [];
  for (const file of globSync('build/{async,contract,deploy,rules,scripts,server}/**/*.mjs', { cwd: installed })) {
    const code = readFileSync(join(installed, file), 'utf8');
    for (const [, , named = ''] of code.matchAll(/(\bfrom |\bimport\(|\bimport |\bnew URL\()['"](\.{1,2}\/[^'"$\n]+)['"]/g)) {
      if (!existsSync(join(installed, dirname(file), named))) missing.push(`${file}: ${named}`);
    }
  }
  expect(missing).toEqual([]);
  // Packages are beside this one, not in it: the bundle may name files of its own sources only. pino's are for threads that write a log.
  const bundle = globSync('build/dist-server/*/*.js', { cwd: installed }).map((file) => readFileSync(join(installed, file), 'utf8'));
  const named = bundle.flatMap((code) => [...code.matchAll(/__artelSource\.\w+\("node_modules\/([^"]+)"\)/g)].map(([, path]) => path));
  expect([...new Set(named)].sort()).toEqual(['pino/lib', 'thread-stream']);
});

test('R10.01 artel starts server, page, database and runner below --data, finishes a simulated run, and is backed up meanwhile', async () => {
  const runner = sandboxes.includes('bubblewrap') ? ['--runner'] : [];
  const settings = { ARTEL_RUNNER_PORT: String(await freePort()) };
  const server = await artel(['--data', 'данные', '--port', '0', ...runner], { settings, until: 'Artel is ready at' });
  let code: number | null;
  try {
    const [, url = ''] = readyLine.exec(server.output()) ?? [];
    expect([server.output(), url]).toEqual([expect.anything(), expect.stringContaining('http')]);
    expect(await (await fetch(url)).text()).toContain('<script type="module"');
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ commit: expect.stringMatching(/^[\da-f]{40}$/) });
    // A thread compresses this one.
    expect((await fetch(`${url}/api/docs/scalar.js`)).status).toBe(200);
    expect(await brokenLinks(`${url}/help/`)).toEqual([]);
    const ann = await signUp(url);
    const run = await ann.start(await ann.pipeline('assistant', 'developer'), 'A form to book a table');
    expect((await ann.until(run.id, ({ status }) => status === 'completed')).status).toBe('completed');
    if (runner.length > 0) await expect.poll(server.output).toContain("Artel's runner listens on");
    const backup = await artel(['backup', 'all.artel', '--with-secret', '--data=данные']);
    expect([await backup.ended, backup.output()]).toEqual([0, expect.stringContaining('Backed up')]);
  } finally {
    code = await server.stop();
  }
  expect(code).toBe(0);
  // On a busy machine PostgreSQL writes its last pages a little longer than its server waits for it.
  await expect.poll(() => existsSync(join(place, 'данные/postgres/postmaster.pid')), { timeout: 20_000 }).toBe(false);
  const restored = await artel(['restore', 'all.artel', '--data', 'restored']);
  expect([await restored.ended, restored.output()]).toEqual([0, expect.stringContaining('Restored')]);
});

test('R10.01 a document is read by a process that may read only its program and libraries', async () => {
  const module = pathToFileURL(join(installed, 'build/server/modules/inputs/documents/extract-text.mjs')).href;
  const { extractText } = (await import(
    /* @vite-ignore */ module
  )) as typeof import('../../../server/modules/inputs/documents/extract-text.ts');
  expect(await extractText(sampleDocx('Договор'), 'a.docx', 'docx')).toContain('Договор');
});

test('R10.01 a wrong word of artel is named with the right ones, and a taken port has the next one in its place', async () => {
  const wrong = await Promise.all([
    artel(['begin']),
    artel(['--prot', '1']),
    artel(['backup', '--data']),
    artel(['backup']),
    artel(['--data', '']),
    artel(['--data', 'two', 'begin']),
  ]);
  expect(await Promise.all(wrong.map(({ ended }) => ended))).toEqual(wrong.map(() => 1));
  expect(wrong.map((one) => one.output().includes('artel backup FILE'))).toEqual(wrong.map(() => true));
  expect(wrong.at(-1)?.output()).toContain('There is no command "begin".');
  const runner = await artel(['--data', process.execPath, 'runner']);
  await runner.ended;
  expect(runner.output()).toBe(`${process.execPath} is a file, and the data needs a folder: set another --data.\n`);
  const first = createServer();
  const isOurs = await new Promise<boolean>((resolve) =>
    first.once('error', () => resolve(false)).listen(5_001, '127.0.0.1', () => resolve(true)),
  );
  const server = await artel(['--data', 'two'], { until: 'Artel is ready at' });
  try {
    expect(server.output()).toMatch(/^Port 5001 is taken, so Artel takes \d+\.$/m);
    expect(readyLine.exec(server.output())?.[1]).not.toContain(':5001');
  } finally {
    await server.stop();
    if (isOurs) first.close();
  }
});
