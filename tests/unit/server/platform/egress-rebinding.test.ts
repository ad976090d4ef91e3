import { beforeEach, expect, test, vi } from 'vitest';
import { createEgress, HostRefused, isHostAllowed } from '../../../../server/platform/egress/egress.ts';

const lookup = vi.hoisted(() => vi.fn());
vi.mock('node:dns/promises', () => ({ lookup }));

const address = (ip: string) => ({ address: ip, family: ip.includes(':') ? 6 : 4 });
const closed = createEgress({ allowPrivate: false, proxies: null });

beforeEach(() => {
  lookup.mockReset();
});

test.each([[['127.0.0.1']], [['93.184.215.14', '10.0.0.1']], [['2606:4700::1111', '::ffff:169.254.169.254']], [[]]])(
  'R25.01 a name with any closed address among its own, or none, is refused: %j',
  async (ips) => {
    lookup.mockResolvedValue(ips.map(address));
    await expect(closed('http://models.example/v1')).rejects.toThrow(HostRefused);
  },
);

test.each(['169.254.169.254', '168.63.129.16', '::ffff:a9fe:a9fe', 'fd00:ec2::254'])(
  'R25.01 the metadata service at %s is refused even where private hosts are allowed',
  async (ip) => {
    const open = createEgress({ allowPrivate: true, proxies: null });
    await expect(open(`http://${ip.includes(':') ? `[${ip}]` : ip}/`)).rejects.toThrow(HostRefused);
    lookup.mockResolvedValue([address('10.0.0.8'), address(ip)]);
    await expect(open('http://models.example/v1')).rejects.toThrow(HostRefused);
    expect(await isHostAllowed('http://models.example/v1', { allowPrivate: true, proxies: null })).toBe(false);
  },
);

test('R25.01 a name is resolved once, and never a second time for the connection', async () => {
  lookup.mockResolvedValueOnce([address('93.184.215.14')]).mockResolvedValue([address('127.0.0.1')]);
  const stop = new AbortController();
  const asked = closed('http://models.example:9/v1', { signal: stop.signal });
  await vi.waitFor(() => expect(lookup).toHaveBeenCalled(), { timeout: 15_000 });
  stop.abort();
  await expect(asked).rejects.not.toThrow(HostRefused);
  expect(lookup).toHaveBeenCalledTimes(1);
});
