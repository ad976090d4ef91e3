import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operatorServersWarnings, readOperatorServers } from '../../../../server/platform/mcp/operator-servers.ts';
import { settingNames } from '../../../../server/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'artel-operator-'));
const path = join(folder, 'servers.json');
const env = { PATH: '/usr/bin', TOKEN: 't', ARTEL_SECRET_KEY: 's' };
const node = process.execPath;

function read(content: unknown) {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readOperatorServers(path, env, settingNames);
}
const one = (entry: object) => ({ servers: { files: { command: node, ...entry } } });

test('G3.33 the operator names programs, their arguments and the variables that they get', () => {
  expect(readOperatorServers(null, env, settingNames)).toEqual(new Map());
  expect(read(one({ args: ['server.js'], variables: ['PATH'] })).get('files')).toEqual({
    ...{ name: 'files', command: node, args: ['server.js'], environment: { PATH: '/usr/bin' } },
  });
});

test.each([
  ['{\n  "servers": {\n    files: 1\n  }\n}', /line 3 is no JSON/],
  ['{"servers": {', /line 1 is no JSON/],
  [{ server: {} }, /entry servers is wrong/],
  [one({ command: 'node' }), /entry servers\.files\.command is wrong: must be the absolute path/],
  [one({ command: '/no/such/program' }), /entry servers\.files\.command is wrong: there is no program/],
  [one({ command: folder }), /there is no program/],
  [one({ shell: true }), /entry servers\.files is wrong/],
  [one({ args: 'server.js' }), /entry servers\.files\.args is wrong/],
  [one({ variables: ['OTHER'] }), /variables is wrong: OTHER is not set/],
  [one({ variables: ['ARTEL_SECRET_KEY'] }), /variables\.0 is wrong: must be no setting/],
  [one({ uid: -1 }), /entry servers\.files\.uid is wrong/],
  [one({ uid: 'tools' }), /entry servers\.files\.uid is wrong/],
  [{ servers: { 'a/b': { command: node } } }, /must be a name of letters/],
])('G3.33 a wrong file is refused with its line or entry: %j', (content, expected) => {
  expect(() => read(content)).toThrow(expected);
  expect(() => read(content)).toThrow(/^ARTEL_TOOL_SERVERS_FILE \(/);
});

test('G3.33 a file that cannot be read is named', () => {
  expect(() => readOperatorServers(join(folder, 'none.json'), env, settingNames)).toThrow(/cannot be read: ENOENT/);
});

test.each([
  ...['ARTEL_SECRET_KEY', 'ARTEL_RUNNER_TOKEN', 'ARTEL_METRICS_TOKEN', 'DATABASE_URL', 'NATS_URL', 'SMTP_URL'],
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'OTEL_EXPORTER_OTLP_HEADERS', 'openai_api_key'],
])('G3.33 a program does not get Artel’s own variable %s', (name) => {
  writeFileSync(path, JSON.stringify(one({ variables: ['PATH', name] })));
  expect(() => readOperatorServers(path, { PATH: '/usr/bin', [name]: 's' }, settingNames)).toThrow(
    /variables\.1 is wrong: must be no setting/,
  );
});

test('G3.33 a program that runs as the server’s own user is warned of at the start', () => {
  const warned = (own: number, entry: { uid?: number }) =>
    operatorServersWarnings(new Map([['files', { name: 'files', command: node, args: [], environment: {}, ...entry }]]), own);
  expect(warned(1_000, {})).toEqual([expect.stringContaining("files runs as the user of this server: it can read the server's key")]);
  expect(warned(1_000, { uid: 1_000 })).toHaveLength(1);
  expect(warned(0, { uid: 0 })).toEqual([expect.stringContaining('files runs as root')]);
  expect(warned(1_000, { uid: 1_001 })).toEqual([]);
  expect(warned(0, { uid: 1_001 })).toEqual([]);
});

test.runIf(process.getuid?.() === 0)('G3.33 the user of an entry is read, with a group of the same number unless one is named', () => {
  expect(read(one({ uid: 65_534 })).get('files')).toMatchObject({ uid: 65_534, gid: 65_534 });
  expect(read(one({ uid: 65_534, gid: 100 })).get('files')).toMatchObject({ uid: 65_534, gid: 100 });
});

test.runIf(process.getuid !== undefined && process.getuid() !== 0)('G3.33 a server that may not change the user names the entry', () => {
  expect(() => read(one({ uid: 0 }))).toThrow(/servers\.files\.uid is wrong: this server may not start programs as this user/);
});
