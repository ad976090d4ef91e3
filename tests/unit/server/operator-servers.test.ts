import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOperatorServers } from '../../../server/platform/mcp/operator-servers.ts';
import { settingNames } from '../../../server/settings.ts';

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
