import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';
import { expect, test } from 'vitest';
import * as bodyLimits from '../../../contract/body-limits.ts';
import { readRunnerSettings } from '../../../deploy/runner/runner-settings.ts';
import { serverNodeOptions } from '../../../scripts/node-options.ts';
import { serverProgram } from '../../../scripts/server-build/server-bundle.ts';
import { partialFile, thisProcess } from '../../../server/platform/database/backup/partial-files.ts';
import { readSettings } from '../../../server/settings.ts';
import { composeProblems } from '../../support/deploy/compose-schema.ts';
import { type Compose, fillIn, readCompose, type Service } from '../../support/deploy/read-compose.ts';
import { readYaml } from '../../support/deploy/read-yaml.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** Each compose file with its nodes, and what its nodes are given beside the settings of compose.env. */
const composed = [
  { file: 'compose.yaml', nodes: ['artel'], natsUrl: null, trustProxy: false, shutdownDelaySeconds: 0, ofItsOwn: [] },
  {
    ...{ file: 'compose.cluster.yaml', nodes: ['node-1', 'node-2', 'node-3'], natsUrl: 'nats://nats:4222' },
    ...{ trustProxy: 1, shutdownDelaySeconds: 3, ofItsOwn: ['NATS_URL'] },
  },
];
const secrets = { ARTEL_SECRET_KEY: 's'.repeat(64), POSTGRES_PASSWORD: 'p'.repeat(64) };
const caddy = read('deploy/Caddyfile');
const dockerfile = read('Dockerfile');
const [, last = ''] = dockerfile.split(/^FROM node:24-slim$/m);
/** The instructions of a stage that begins with the build tools. */
const stageOf = (name: string) => dockerfile.split(`FROM tools AS ${name}\n`)[1]?.split(/^FROM /m)[0] ?? '';
const example = Object.fromEntries(
  [...read('deploy/compose.env.example').matchAll(/^([A-Za-z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const settingNames = [...read('server/settings.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name);
const settingsTable = read('docs/settings.md').split('The server reads these')[1]?.split('The client is built')[0] ?? '';
const explainedSettings = [...settingsTable.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name);

const composeFiles = new Map(composed.map(({ file }) => [file, readCompose(file)]));
const serviceOf = (file: string, name: string) => composeFiles.get(file)?.services[name] as Service;
/** The environment of a service as compose builds it from these values. */
function environment(file: string, name: string, values: Record<string, string>): Record<string, string> {
  const { environment = {} } = serviceOf(file, name);
  return Object.fromEntries(Object.entries(environment).map(([variable, value]) => [variable, fillIn(value, values)]));
}

test.each(composed)('R10.01 $file starts its nodes with settings that the server knows and takes', ({ file, nodes, ...expected }) => {
  const { natsUrl, trustProxy, shutdownDelaySeconds } = expected;
  for (const name of nodes) {
    const node = environment(file, name, { ...example, ...secrets });
    expect(Object.keys(node).filter((variable) => !settingNames.includes(variable))).toEqual(['NODE_EXTRA_CA_CERTS']);
    expect(readSettings(node)).toMatchObject({
      ...{ natsUrl, trustProxy, shutdownDelaySeconds, host: '0.0.0.0', port: 5001, secretKey: secrets.ARTEL_SECRET_KEY },
      databaseUrl: `postgresql://artel:${secrets.POSTGRES_PASSWORD}@postgres:5432/artel`,
    });
  }
});

test.each(composed)('R10.01 $file hands every setting of docs/settings.md to its nodes, and an empty one counts as not set', (given) => {
  const { file, nodes, ofItsOwn } = given;
  for (const name of nodes) {
    const set = (variable: string) => environment(file, name, { ...secrets, [variable]: 'given' })[variable];
    expect(explainedSettings.filter((variable) => set(variable) !== 'given')).toEqual([
      ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL'],
      ...ofItsOwn,
    ]);
    const node = environment(file, name, secrets);
    expect(Object.keys(node).toSorted()).toEqual(explainedSettings.toSorted());
    expect(readSettings(node)).toEqual(readSettings(Object.fromEntries(Object.entries(node).filter(([, value]) => value !== ''))));
  }
});

test.each(composed)(
  'R10.01 $file refuses to start a node, a backup or PostgreSQL without secrets, and says what to set',
  ({ file, nodes }) => {
    for (const name of [...nodes, 'backup', 'postgres']) {
      expect(() => environment(file, name, example)).toThrow(/^set (POSTGRES_PASSWORD|ARTEL_SECRET_KEY) in compose\.env$/);
    }
    expect(() => environment(file, 'backup', { ...example, POSTGRES_PASSWORD: 'p' })).toThrow('set ARTEL_SECRET_KEY in compose.env');
  },
);

test('R10.01 every value that the compose files ask for is explained in their example, and no secret is given there', () => {
  const files = [...composed.map(({ file }) => file), 'deploy/services.yaml'].map(read).join('');
  const asked = [...files.matchAll(/\$\{(\w+):/g)].map(([, name = '']) => name);
  expect([...new Set(asked)].toSorted()).toEqual(Object.keys(example).toSorted());
  expect([example.ARTEL_SECRET_KEY, example.POSTGRES_PASSWORD]).toEqual(['', '']);
  expect(read('.gitignore').split('\n')).toContain('compose.env');
});

test.each(composed)(
  'R10.01 $file is what compose understands, and names only services, networks, volumes and files that are there',
  ({ file }) => {
    const compose = composeFiles.get(file) as Compose;
    const problems = composeProblems(readYaml(file));
    expect([problems, composeProblems(compose), composeProblems(readYaml('deploy/services.yaml'))]).toEqual([[], [], []]);
    expect(composeProblems({ services: { one: { imagine: 'artel' } } })).toEqual(['services.one: Unrecognized key: "imagine"']);
    for (const [name, { depends_on: needed = {}, networks = [], volumes = [] }] of Object.entries(compose.services)) {
      const unknown = [
        ...(Array.isArray(needed) ? needed : Object.keys(needed)).filter((other) => !(other in compose.services)),
        ...networks.filter((network) => network !== 'default' && !(network in compose.networks)),
        ...volumes
          .map((volume) => fillIn(volume, {}).split(':')[0] ?? '')
          .filter((from) => (from.startsWith('./') ? !existsSync(join(root, from)) : !(from in compose.volumes))),
      ];
      expect([name, unknown]).toEqual([name, []]);
    }
    expect(Object.keys(compose.volumes).toSorted()).toEqual(['backups', 'caddy', 'node', 'postgres', 'runner']);
  },
);

test.each(composed)(
  'R10.01 the backup of $file is made by the image, into a folder that its account may write, and is checked',
  ({ file }) => {
    const { command, environment: given, healthcheck, volumes, image } = serviceOf(file, 'backup') as Service & Record<string, unknown>;
    expect(image).toBe(serviceOf(file, composed.find((one) => one.file === file)?.nodes[0] ?? '').image);
    expect(command).toEqual(['node', 'scripts/nightly-backup.ts']);
    expect(existsSync(join(root, 'scripts/nightly-backup.ts'))).toBe(true);
    expect(healthcheck).toMatchObject({ test: ['CMD', ...(command as string[]), '--check'] });
    expect(volumes?.map((volume) => fillIn(volume, {}))).toEqual([`backups:${given?.ARTEL_BACKUP_FOLDER}`]);
    // A new volume has the owner of the folder of the image that it covers.
    expect(last).toMatch(/mkdir [^&]*\/backups\b.*&& chown node:node [^&]*\/backups\b/);
  },
);

test.each(composed)('R10.01 $file runs images of a release by their names, and tells a build which commit it is of', ({ file, nodes }) => {
  const given = { ARTEL_IMAGE: 'ghcr.io/owner/artel:1', ARTEL_RUNNER_IMAGE: 'ghcr.io/owner/artel-runner:1' };
  const imagesOf = (values: Record<string, string>) =>
    new Set([...nodes, 'backup', 'runner'].map((name) => fillIn(String(serviceOf(file, name).image), values)));
  expect([...imagesOf({})]).toEqual(['artel', 'artel-runner']);
  expect([...imagesOf(given)]).toEqual(Object.values(given));
  const script = 'export ARTEL_COMMIT=$(git rev-parse HEAD)\nprintf %s "$ARTEL_COMMIT"';
  const commit = execFileSync('/bin/sh', ['-c', script], { cwd: root, encoding: 'utf8' });
  expect(commit).toMatch(/^[\da-f]{40}$/);
  for (const name of nodes) {
    const { context, args } = serviceOf(file, name).build as { context: string; args: Record<string, string> };
    expect([context, Object.keys(args), fillIn(args.ARTEL_COMMIT ?? '', { ARTEL_COMMIT: commit })]).toEqual([
      '.',
      ['ARTEL_COMMIT'],
      commit,
    ]);
  }
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
  const settings = [...read('deploy/runner/runner-settings.ts').matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
  const ofImage = [...image.matchAll(/\b([A-Z_]+)=\S+/g)].map(([, name = '']) => name);
  // What install steps have unless it is set otherwise, and what docs/runner.md says that they may have.
  const [, usual = ''] = /`ARTEL_RUNNER_INSTALL_VARIABLES` \| `([\w,]+)`/.exec(read('docs/runner.md')) ?? [];
  const ofInstallSteps = [...usual.split(','), 'HTTPS_PROXY', 'npm_config_registry'];
  for (const { file } of composed) {
    const service = serviceOf(file, 'runner');
    expect(service).toMatchObject({ profiles: ['runner'], cap_drop: ['ALL'], networks: ['runner'], volumes: ['runner:/data'] });
    expect(JSON.stringify(service)).not.toMatch(/privileged|unconfined|docker\.sock|DATABASE_URL|ARTEL_SECRET_KEY/);
    const given = [...Object.keys(service.environment ?? {}), ...ofImage, 'ARTEL_RUNNER_PORT'];
    expect(given.toSorted()).toEqual([...settings, ...ofInstallSteps].toSorted());
    const set = { HTTPS_PROXY: 'http://proxy.firm.lan:3128', ARTEL_RUNNER_INSTALL_VARIABLES: 'HTTPS_PROXY' };
    const { parentProxy } = readRunnerSettings(environment(file, 'runner', set));
    expect(parentProxy?.host).toBe('proxy.firm.lan:3128');
  }
});

test.each(composed)('R10.01 the proxy of $file knows every node, and asks each whether it is ready', ({ file, nodes }) => {
  const { environment: given, volumes } = serviceOf(file, file === 'compose.yaml' ? 'site' : 'proxy');
  expect(given?.NODES?.split(' ')).toEqual(nodes.map((name) => `${name}:5001`));
  expect(volumes).toContain('./deploy/Caddyfile:/etc/caddy/Caddyfile:ro');
  expect(caddy).toContain('reverse_proxy {$NODES} {');
  expect(caddy).toContain('health_uri /ready');
  expect(caddy).toContain('lb_policy round_robin');
});

test('R10.01 one node is reached from its own machine only, unless its operator opens it, and by the proxy', () => {
  expect(serviceOf('compose.yaml', 'artel').ports).toEqual([`\${LISTEN:-127.0.0.1:5001}:5001`]);
  expect(serviceOf('compose.yaml', 'site').profiles).toEqual(['proxy']);
  const open = Object.entries(composeFiles.get('compose.cluster.yaml')?.services ?? {}).filter(([, { ports }]) => ports !== undefined);
  expect(open.map(([name]) => name)).toEqual(['proxy']);
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
