import { BlockList, isIP } from 'node:net';

/** Ranges outside the public internet: loopback, private, link-local, carrier, relays, documentation, multicast, reserved. */
const closedV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo) are blocked as a whole: a public host does not need them. */
const closedV6 = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

/** Two lists, since a single list also matches an IPv4 address against its IPv6 form, and would block all addresses. */
const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix] of closedV4) lists.ipv4.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of closedV6) lists.ipv6.addSubnet(network, prefix, 'ipv6');

/** Cloud metadata services, which hand out credentials: AWS, Google, Azure and OpenStack, Azure's wire server, Alibaba, Oracle. */
const metadataV4 = [
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
] as const;

/** Metadata services over IPv6: AWS, Google, Scaleway, and OpenStack on any link. */
const metadataV6 = [
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fd00:42::42', 128],
  ['fe80::a9fe:a9fe', 128],
] as const;

/** A single list here: it must also block the IPv6 form of an IPv4 address. */
const metadata = new BlockList();
for (const [network, prefix] of metadataV4) {
  metadata.addSubnet(network, prefix, 'ipv4');
  for (const [carrier, bits] of carriersOf(network)) metadata.addSubnet(carrier, bits + prefix, 'ipv6');
}
for (const [network, prefix] of metadataV6) metadata.addSubnet(network, prefix, 'ipv6');
for (const [network, prefix] of [...metadataV4, ...metadataV6]) {
  const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
  lists[family].addSubnet(network, prefix, family);
}

/** IPv6 networks that reach an IPv4 address through a translator (compatible, NAT64, 6to4), and the number of bits before that address. */
function carriersOf(network: string): (readonly [network: string, bits: number])[] {
  const bytes = network.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  const [a = '', b = '', c = '', d = ''] = bytes;
  const groups = `${a}${b}:${c}${d}`;
  return [
    [`::${groups}`, 96],
    [`64:ff9b::${groups}`, 96],
    [`2002:${groups}::`, 16],
  ];
}

/** Whether an IP address belongs to a cloud's metadata service. No setting allows one. */
export function isMetadataAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && metadata.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether an IP address belongs to the public internet. False for any other text. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !lists[family].check(address, family);
}
