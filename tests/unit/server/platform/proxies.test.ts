import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { readSettings, settingNames } from '../../../../server/settings.ts';

const env = { HTTPS_PROXY: 'http://secure.proxy:3128', HTTP_PROXY: 'http://plain.proxy:3128' };
const proxyOf = (address: string, more: Record<string, string> = {}) =>
  readSettings({ ...env, ...more }).proxies.of(new URL(address))?.url.hostname ?? null;

test('R25.01 the scheme of a call chooses the proxy, and this machine is called directly', () => {
  expect(proxyOf('https://api.example/')).toBe('secure.proxy');
  expect(proxyOf('http://api.example/')).toBe('plain.proxy');
  for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]']) expect(proxyOf(`http://${host}:11434/`)).toBeNull();
  expect(readSettings({}).proxies.of(new URL('https://api.example/'))).toBeNull();
});

test.each([
  ['*', 'https://api.example/', true],
  ['api.example', 'https://api.example/', true],
  ['API.example', 'https://v1.api.example./', true],
  ['.api.example', 'https://v1.api.example/', true],
  ['*.api.example', 'https://v1.api.example/', true],
  ['pi.example', 'https://api.example/', false],
  ['api.example:443', 'https://api.example/', true],
  ['api.example:8443', 'https://api.example/', false],
  ['api.example:80', 'http://api.example/', true],
  ['10.0.0.0/8', 'https://10.1.2.3/', true],
  ['10.0.0.0/8', 'https://11.1.2.3/', false],
  ['10.1.2.3', 'https://10.1.2.3:8443/', true],
  ['10.1.2.3:443', 'https://10.1.2.3:8443/', false],
  ['[fd12::1]', 'https://[fd12::1]/', true],
  ['fd12::/16', 'https://[fd12::1]/', true],
  ['пример.example', 'https://api.xn--e1afmkfd.example/', true],
  ['<local>, other.example api.example', 'https://api.example/', true],
  ['10.0.0.0/99', 'https://10.1.2.3/', false],
])('R25.01 NO_PROXY=%s leaves %s without a proxy: %s', (none, address, isDirect) => {
  expect(proxyOf(address, { NO_PROXY: none }) === null).toBe(isDirect);
});

test('R25.01 a variable in lower case counts, as for other programs', () => {
  expect(proxyOf('https://api.example/', { https_proxy: 'http://lower.proxy' })).toBe('lower.proxy');
  expect(proxyOf('https://api.example/', { https_proxy: '' })).toBe('secure.proxy');
  expect(proxyOf('https://api.example/', { no_proxy: 'api.example' })).toBeNull();
});

test('R25.01 a host has its own proxy or none, before NO_PROXY and the others', () => {
  const more = {
    ARTEL_PROXY_HOSTS: 'api.openai.com=http://me:a%2Cb=c@far.proxy:3128, sberbank.ru=direct, fd12::/16=direct',
    NO_PROXY: 'api.openai.com',
  };
  expect(proxyOf('https://api.openai.com/', more)).toBe('far.proxy');
  expect(proxyOf('https://gigachat.devices.sberbank.ru/', more)).toBeNull();
  expect(proxyOf('https://[fd12::1]/', more)).toBeNull();
  expect(proxyOf('https://api.example/', more)).toBe('secure.proxy');
  expect(readSettings(more).proxies.secrets).toEqual(expect.arrayContaining(['a,b=c']));
  expect(readSettings({ HTTPS_PROXY: 'http://a-long-token@proxy' }).proxies.secrets).toContain('a-long-token');
  const short = createScrubber(readSettings({ HTTPS_PROXY: 'http://me:12345@proxy' }).proxies.secrets);
  expect(short.text('http://me:12345@proxy/ has 12345 calls')).toBe('http://***proxy/ has 12345 calls');
});

test.each([
  ['HTTPS_PROXY', 'proxy:3128'],
  ['HTTP_PROXY', 'socks5://me:hush-hush@proxy:1080'],
  ['HTTPS_PROXY', 'http://me:hush-hush%@proxy'],
  ['HTTPS_PROXY', 'http://me:hush-hush%ff@proxy'],
  ['HTTPS_PROXY', 'http://me:hush-hush@proxy/path'],
  ['ARTEL_PROXY_HOSTS', 'api.example'],
  ['ARTEL_PROXY_HOSTS', '=http://me:hush-hush@proxy'],
  ['ARTEL_PROXY_HOSTS', 'api.example=hush-hush'],
  ['ARTEL_PROXY_HOSTS', 'https://api.example=http://me:hush-hush@proxy'],
  ['ARTEL_PROXY_HOSTS', '10.0.0.0/99=direct'],
])('R25.01 %s=%s is refused at the start, without its password', (name, value) => {
  const read = () => readSettings({ [name]: value });
  expect(read).toThrow(new RegExp(`^${name} must be`));
  expect(read).not.toThrow(/hush-hush/);
});

test('R25.01 only calls of this machine, and of a runner that the operator has beside it, go past the proxies', () => {
  const server = join(import.meta.dirname, '../../../../server');
  const files = globSync('**/*.ts', { cwd: server });
  const holding = (words: RegExp) => files.filter((file) => words.test(readFileSync(join(server, file), 'utf8'))).sort();
  expect(holding(/\bproxies: null\b/)).toEqual(['modules/connections/create-connections.ts', 'modules/runners/service.ts']);
});

test('R25.01 programs that share the variables of proxies may be given them', () => {
  expect(settingNames).not.toContain('HTTPS_PROXY');
  expect(settingNames).toContain('ARTEL_PROXY_HOSTS');
});
