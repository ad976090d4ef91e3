import { beforeEach, expect, test, vi } from 'vitest';
import { createEgress, HostRefused, isHostAllowed } from '../../../../server/platform/egress/egress.ts';
import { HostList, isWebAddress } from '../../../../server/platform/egress/private-hosts.ts';
import { readSettings } from '../../../../server/settings.ts';

const lookup = vi.hoisted(() => vi.fn());
vi.mock('node:dns/promises', () => ({ lookup }));

const listed = HostList.from(['gitlab.firm.lan', '*.lab.firm.lan', '10.2.0.0/16', '192.168.7.9', 'fd12:3456::/32']) ?? false;
const answers = (...ips: string[]) => lookup.mockResolvedValue(ips.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
const isAllowed = (address: string) => isHostAllowed(address, { allowPrivate: listed, proxies: null });

beforeEach(() => {
  lookup.mockReset();
});

test.each([
  ['gitlab.firm.lan', '172.16.0.9', true],
  ['a.lab.firm.lan', '172.16.0.9', true],
  ['lab.firm.lan', '172.16.0.9', false],
  ['evil-gitlab.firm.lan', '172.16.0.9', false],
  ['gitlab.firm.lan.evil.test', '172.16.0.9', false],
  ['wiki.firm.lan', '10.2.255.1', true],
  ['wiki.firm.lan', '10.3.0.1', false],
  ['wiki.firm.lan', '192.168.7.9', true],
  ['wiki.firm.lan', '192.168.7.10', false],
  ['wiki.firm.lan', 'fd12:3456::8', true],
  ['wiki.firm.lan', 'fd13::8', false],
  ['wiki.firm.lan', '::ffff:10.2.0.1', false],
  ['gitlab.firm.lan', '169.254.169.254', false],
  ['gitlab.firm.lan', 'fd00:ec2::254', false],
])('R25.01 with a list of private hosts, %s at %s is allowed: %s', async (host, ip, allowed) => {
  answers(ip);
  expect(await isAllowed(`https://${host}/`)).toBe(allowed);
  const call = createEgress({ allowPrivate: listed, proxies: null })(`https://${host}/`, { signal: AbortSignal.abort() });
  await expect(call).rejects.toMatchObject({ code: 'ABORT_ERR' });
});

test('R25.01 one address of a name that is not listed closes the name', async () => {
  answers('10.2.0.1', '10.3.0.1');
  expect(await isAllowed('https://wiki.firm.lan/')).toBe(false);
  await expect(createEgress({ allowPrivate: listed, proxies: null })('http://wiki.firm.lan/')).rejects.toThrow(HostRefused);
});

test.each([
  ['http://10.2.0.1/', true],
  ['http://10.3.0.1/', false],
  ['http://127.0.0.1/', false],
  ['http://[fd12:3456::1]/', true],
  ['http://[::1]/', false],
  ['http://[::ffff:10.2.0.1]/', false],
  ['http://GitLab.firm.lan/', true],
  ['http://wiki.firm.lan/', false],
  ['https://wiki.firm.lan/', true],
  ['ftp://10.2.0.1/', false],
])('R25.01 %s may be called without TLS, or has it: %s', (address, isWeb) => {
  expect(isWebAddress(new URL(address), listed)).toBe(isWeb);
});

test.each([
  'gitlab.firm.lan:8080',
  '10.2',
  '10.2.0.0/33',
  '10.2.0.0/',
  '10.2.0.0/8/8',
  'fd12::/129',
  'a b',
  '*.github.io',
  'http://x',
  '*',
])('R25.01 a list with %s is refused at the start', (item) => {
  expect(() => readSettings({ ARTEL_ALLOW_PRIVATE_HOSTS: `wiki.firm.lan,${item}` })).toThrow(/^ARTEL_ALLOW_PRIVATE_HOSTS must be a list/);
});

test('R25.01 the earlier setting opens all private hosts, with a list or without one', () => {
  const list = { ARTEL_ALLOW_PRIVATE_HOSTS: 'GitLab.firm.lan' };
  expect(readSettings({}).allowPrivateHosts).toBe(false);
  expect(readSettings({ ...list, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }).allowPrivateHosts).toBe(true);
  const { allowPrivateHosts } = readSettings(list);
  expect(isWebAddress(new URL('http://gitlab.firm.lan/'), allowPrivateHosts)).toBe(true);
  expect(isWebAddress(new URL('http://wiki.firm.lan/'), allowPrivateHosts)).toBe(false);
});
