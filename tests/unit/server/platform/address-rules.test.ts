import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { isMetadataAddress, isPublicAddress } from '../../../../server/platform/egress/address-rules.ts';

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::127.0.0.1',
  '2001::1',
  '3fff::1',
  '5f00::1',
  '192.88.99.1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  'localhost',
  '',
])('R25.01 %s is not on the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '11.0.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001:80b::200e'])(
  'R25.01 %s is on the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '::ffff:169.254.169.254',
  '::ffff:a83f:8110',
  '::a9fe:a9fe',
  '64:ff9b::a83f:8110',
  '2002:a9fe:a9fe::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
])('R25.01 %s is a cloud’s metadata service, and not on the public internet', (address) => {
  expect([isMetadataAddress(address), isPublicAddress(address)]).toEqual([true, false]);
});

test.each(['127.0.0.1', '10.0.0.8', '192.168.1.1', '168.63.129.17', '8.8.8.8', '::1', '::ffff:10.0.0.8', 'fd00::1', 'localhost'])(
  'R25.01 %s is no metadata service',
  (address) => {
    expect(isMetadataAddress(address)).toBe(false);
  },
);

const metadataInOtherForms = [
  ...['::169.254.169.254', '::ffff:169.254.169.254', '::ffff:0:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
  ...['64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a9:fe:a9fe::', '64:ff9b:1:0:a9:fea9:fe00:0', '2002:a9fe:a9fe::1', '2001:0:a9fe:a9fe::1'],
  ...['2001::5601:5601', '2a00:1450::5efe:a9fe:a9fe', 'fe80::200:5efe:a9fe:a9fe'],
];

test.each(metadataInOtherForms)('G8.24 %s carries the address of a metadata service', (address) => {
  expect([isMetadataAddress(address), isPublicAddress(address)]).toEqual([true, false]);
});

test('G8.24 no address of a special range of a kept library is on the public internet, and every other one of the global range is', () => {
  expect(isPublicAddress('::ffff:0:808:808')).toBe(false);
  const parsed = (bytes: Uint8Array) => ipaddr.fromByteArray([...bytes]);
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const ranges = [ipaddr.IPv4, ipaddr.IPv6].flatMap((kind) =>
    Object.values((kind.prototype as unknown as Ranges).SpecialRanges).flatMap(
      (range) => (Array.isArray(range[0]) ? range : [range]) as Range[],
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ranges), bytes(16), ([network, prefix], random) => {
      const fixed = network.toByteArray();
      const inside = fixed.map((byte, at) => {
        const mask = (0xff00 >> Math.min(8, Math.max(0, prefix - at * 8))) & 0xff;
        return (byte & mask) | ((random[at] ?? 0) & ~mask & 0xff);
      });
      expect(isPublicAddress(parsed(Uint8Array.from(inside)).toString())).toBe(false);
    }),
    { numRuns: 5_000 },
  );
  fc.assert(
    fc.property(fc.oneof(bytes(4), bytes(16)), (random) => {
      const one = parsed(random);
      const isGlobal = one.kind() === 'ipv4' || ((random[0] ?? 0) & 0xe0) === 0x20;
      expect([one.toString(), isPublicAddress(one.toString())]).toEqual([
        one.toString(),
        isGlobal && one.range() === 'unicast' && !isMetadataAddress(one.toString()),
      ]);
    }),
    { numRuns: 5_000 },
  );
});

type Ranges = { SpecialRanges: Record<string, Range | Range[]> };
type Range = [network: { toByteArray: () => number[] }, prefix: number];
