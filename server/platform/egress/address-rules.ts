import { BlockList, isIP } from 'node:net';
import { embeddedAddresses, isIsatapAddress } from './embedded-address.ts';

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
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * IANA has allocated addresses of the public internet from this range alone. All others are closed by that: private ones, and what carries an IPv4
 * address (mapped, translated, NAT64).
 */
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/** Within it: special purposes with Teredo, documentation, 6to4, and the servers for private reverse lookups. */
const closedV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
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

const metadata = new BlockList();
for (const [network, prefix] of metadataV4) metadata.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of metadataV6) metadata.addSubnet(network, prefix, 'ipv6');
for (const [network, prefix] of [...metadataV4, ...metadataV6]) {
  const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
  lists[family].addSubnet(network, prefix, family);
}

/** Whether an IP address belongs to a cloud's metadata service. No setting allows one. */
export function isMetadataAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return metadata.check(address, 'ipv4');
  return version === 6 && (metadata.check(address, 'ipv6') || embeddedAddresses(address).some((one) => metadata.check(one, 'ipv4')));
}

/** Whether an IP address belongs to the public internet. False for any other text. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !lists.ipv4.check(address, 'ipv4');
  return version === 6 && globalV6.check(address, 'ipv6') && !lists.ipv6.check(address, 'ipv6') && !isIsatapAddress(address);
}
