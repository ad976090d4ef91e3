import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';
import { expect, test } from 'vitest';
import * as bodyLimits from '../../../contract/body-limits.ts';
import { serverNodeOptions } from '../../../scripts/node-options.ts';
import { serverProgram } from '../../../scripts/server-build/server-bundle.ts';
import { partialFile, thisProcess } from '../../../server/platform/database/backup/partial-files.ts';
import { readSettings } from '../../../server/settings.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const compose = read('compose.yaml');
const caddy = read('deploy/Caddyfile');
const dockerfile = read('Dockerfile');
const [, last = ''] = dockerfile.split(/^FROM node:24-slim$/m);
/** The instructions of a stage that begins with the build tools. */
const stageOf = (name: string) => dockerfile.split(`FROM tools AS ${name}\n`)[1]?.split(/^FROM /m)[0] ?? '';
const example = Object.fromEntries(
  [...read('deploy/compose.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const [shared = '', services = ''] = compose.split(/^services:$/m);
const settingNames = [...read('server/settings.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name);
const settingsTable = read('docs/settings.md').split('The server reads these')[1]?.split('The client is built')[0] ?? '';
const explainedSettings = [...settingsTable.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name);

/** The nodes' environment as compose builds it from these values. */
function environment(values: Record<string, string>): Record<string, string> {
  const entries = [...shared.matchAll(/^ {4}([A-Z_]+): "?([^"\n]*)"?$/gm)];
  const fill = (text: string) =>
    text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, fallback: string) => {
      if (values[name]) return values[name];
      if (kind === '?') throw new Error(fallback);
      return fallback;
    });
  return Object.fromEntries(entries.map(([, name = '', value = '']) => [name, fill(value)]));
}

test('R10.01 compose.yaml starts its nodes with settings that the server knows and takes', () => {
  const filled = { ...example, ARTEL_SECRET_KEY: 's'.repeat(64), POSTGRES_PASSWORD: 'p'.repeat(64) };
  const nodes = environment(filled);
  expect(Object.keys(nodes).filter((name) => !settingNames.includes(name))).toEqual(['NODE_EXTRA_CA_CERTS']);
  expect(readSettings(nodes)).toMatchObject({
    databaseUrl: `postgresql://artel:${filled.POSTGRES_PASSWORD}@postgres:5432/artel`,
    natsUrl: 'nats://nats:4222',
    secretKey: filled.ARTEL_SECRET_KEY,
    trustProxy: 1,
    host: '0.0.0.0',
    port: 5001,
  });
  expect(() => environment(example)).toThrow('set POSTGRES_PASSWORD in compose.env');
});

test('R10.01 compose.yaml hands every setting of docs/settings.md to its nodes, and an empty one counts as not set', () => {
  const set = (name: string) => environment({ ARTEL_SECRET_KEY: 'secret', POSTGRES_PASSWORD: 'password', [name]: 'given' })[name];
  expect(explainedSettings.filter((name) => set(name) !== 'given')).toEqual(['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'NATS_URL']);
  const nodes = environment({ ARTEL_SECRET_KEY: 's'.repeat(64), POSTGRES_PASSWORD: 'password' });
  expect(Object.keys(nodes).toSorted()).toEqual(explainedSettings.toSorted());
  expect(readSettings(nodes)).toEqual(readSettings(Object.fromEntries(Object.entries(nodes).filter(([, value]) => value !== ''))));
});

test('R10.01 every value that compose.yaml asks for is explained in its example, and no secret is given there', () => {
  const asked = [...compose.matchAll(/\$\{(\w+):/g)].map(([, name = '']) => name);
  expect([...new Set(asked)].toSorted()).toEqual(Object.keys(example).toSorted());
  expect([example.ARTEL_SECRET_KEY, example.POSTGRES_PASSWORD]).toEqual(['', '']);
  expect(read('.gitignore').split('\n')).toContain('compose.env');
});

test('C5.05 the runner image holds every file that the runner imports, and compose gives it a token, its own network and minimal rights', () => {
  const image = read('deploy/runner/Dockerfile');
  const copied = [...image.matchAll(/^COPY (.+) (\S+)$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  const ignored = read('.dockerignore').split('\n');
  for (const source of copied) expect([source, existsSync(join(root, source))]).toEqual([source, true]);
  expect(ignored).toEqual(expect.arrayContaining(['deploy/*', '!deploy/runner']));
  const files = ['deploy/runner/main.ts'];
  for (const file of files) {
    expect([file, copied.some((source) => file === source || file.startsWith(`${source}/`))]).toEqual([file, true]);
    for (const [, path = ''] of read(file).matchAll(/^import (?!type ).*from '(\.[^']+)'/gm)) {
      const next = join(dirname(file), path).replaceAll(sep, '/');
      if (!files.includes(next)) files.push(next);
    }
  }
  expect(files.length).toBeGreaterThan(8);
  expect(image).toMatch(/^CMD \["node", "deploy\/runner\/main\.ts"\]$/m);
  const service = /^ {2}runner:\n([\s\S]+?)^networks:$/m.exec(services)?.[1] ?? '';
  expect(service).toContain('cap_drop:\n      - ALL');
  expect(service).toContain('networks:\n      - runner\n');
  expect(service).not.toMatch(/privileged|unconfined|docker\.sock|DATABASE_URL|ARTEL_SECRET_KEY/);
  const names = [...service.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
  const settings = [...read('deploy/runner/runner-settings.ts').matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
  const ofImage = [...image.matchAll(/\b([A-Z_]+)=\S+/g)].map(([, name = '']) => name);
  expect([...names, ...ofImage, 'ARTEL_RUNNER_PORT'].toSorted()).toEqual(settings.toSorted());
});

test('R10.01 the proxy knows every node of compose.yaml, asks each whether it is ready, and its file is where it is looked for', () => {
  const nodes = [...services.matchAll(/^ {2}(node-\d): \*node$/gm)].map(([, name]) => name);
  expect(nodes).toEqual(['node-1', 'node-2', 'node-3']);
  expect([...caddy.matchAll(/(node-\d):5001/g)].map(([, name]) => name)).toEqual(nodes);
  expect(caddy).toContain('health_uri /ready');
  expect(caddy).toContain('lb_policy round_robin');
  for (const [, file = ''] of compose.matchAll(/- (\.\/[^:]+):/g)) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  expect(compose).not.toContain('\t');
});

test('R10.01 the image contains the files that it names, runs as an unprivileged user, and has a readiness check', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  for (const source of copied) expect([source, existsSync(join(root, source))]).toEqual([source, true]);
  const ignored = read('.dockerignore').split('\n');
  for (const source of copied) expect(ignored).not.toContain(source);
  expect(ignored).toContain('*.env');
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK .*\n.*\/ready/m);
  const command = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
  expect(command).toEqual(['node', ...serverNodeOptions, 'dist-server/main.js']);
  expect(join(root, command.at(-1) ?? '')).toBe(serverProgram);
  // A stage builds it, and Node keeps its compiled code for the same options and the same account.
  expect(dockerfile).toMatch(/^COPY --from=server \/app\/dist-server dist-server$/m);
  expect(existsSync(join(root, /^RUN node (scripts\/server-build\/\S+)$/m.exec(dockerfile)?.[1] ?? 'none'))).toBe(true);
  expect(dockerfile).toContain(`USER node\nRUN ${command.join(' ')} --compile\n`);
});

test('R10.01 the image holds every folder that its code imports from', () => {
  const imported = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) =>
        [...read(join(folder, file)).matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
          join(folder, dirname(file), path).replaceAll(sep, '/'),
        ),
      );
  const missing = (stage: string, folders: string[]) => {
    const copied = [...stage.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
    return folders.flatMap(imported).filter((file) => !copied.some((source) => file === source || file.startsWith(`${source}/`)));
  };
  for (const stage of [last, stageOf('server')]) expect(missing(stage, ['server', 'async', 'contract', 'rules'])).toEqual([]);
  expect(missing(stageOf('client'), ['src', 'async'])).toEqual([]);
});

test.each([
  ['client', ['vite.config.ts', 'tsconfig.json']],
  ['server', ['scripts/server-build/run.ts', 'server/tsconfig.json', 'contract/tsconfig.json', 'rules/tsconfig.json']],
])('R10.01 the image is built with every file that a build of the %s imports, and every setting of its compiler', (name, programs) => {
  const copied = [...stageOf(name).matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  const begun = [...programs];
  for (const file of begun) {
    expect([file, copied.some((source) => file === source || file.startsWith(`${source}/`))]).toEqual([file, true]);
    // Type-only imports do not exist at run time.
    for (const [, path = '', settings = ''] of read(file).matchAll(/^import (?!type ).*from '(\.[^']+)'|"extends": "(\.[^"]+)"/gm)) {
      const next = join(dirname(file), path || settings);
      if (!begun.includes(next)) begun.push(next);
    }
  }
  expect(begun.length).toBeGreaterThan(5);
});

test('R10.01 docs/settings.md explains every setting of the server, and no other', () => {
  const own = explainedSettings.filter((name) => !name.startsWith('NODE_'));
  expect(own.toSorted()).toEqual(settingNames.toSorted());
});

test('G8.15 a backup that is made as documented gets neither into Git nor into an image', () => {
  const [, made = ''] = /npm run backup -- (\S+)/.exec(read('docs/operation.md')) ?? [];
  expect(made).not.toBe('');
  const kinds = [made, partialFile(made, thisProcess)].map((name) => `*${extname(name)}`);
  for (const file of ['.gitignore', '.dockerignore']) expect(read(file).split('\n')).toEqual(expect.arrayContaining(kinds));
});

test('R10.01 docs/settings.md names every limit of a body, with its figures', () => {
  const number = (text: string | undefined) => Number(text?.replaceAll(',', ''));
  const rows = [...read('docs/settings.md').matchAll(/^\| `(\w+Body)` \| [^|]+ \| (\d+) MiB \| ([\d,]+) \| ([\d,]+) \|$/gm)];
  const named = rows.map(([, name, size, values, entries]) => [
    name,
    { bytes: number(size) * 1024 * 1024, values: number(values), entries: number(entries) },
  ]);
  const limits = Object.entries(bodyLimits).filter(([name]) => name !== 'maxBodyDepth');
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(limits));
});

test('R10.01 npm start and the package give the server the same memory as the image', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  expect(scripts.start).toBe(['node', ...serverNodeOptions, 'scripts/start.js'].join(' '));
  expect(read('scripts/package/artel.js')).toContain(`['${serverNodeOptions.join("', '")}']`);
});
