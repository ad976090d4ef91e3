import { BlockList, isIP } from 'node:net';
import { isListedHost, isTooWide } from './listed-hosts.ts';

/** What of private networks may be called, also without TLS: everything, nothing, or what the operator has listed. */
export type PrivateHosts = boolean | HostList;

/** Names, addresses and networks of an operator: `gitlab.firm.lan`, `*.firm.lan`, `10.2.0.7`, `10.2.0.0/16`, `fd12::/16`. */
export class HostList {
  readonly #names: string[] = [];
  /** Two lists, since a single list also matches an IPv4 address against its IPv6 form. */
  readonly #networks = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** Returns the list of the items; null where one is none of these. */
  static from(items: readonly string[]): HostList | null {
    const made = new HostList();
    return items.every((item) => made.#add(item)) ? made : null;
  }

  #add(item: string): boolean {
    // A zone is of one machine's networks.
    if (item.includes('%')) return false;
    const [network = '', prefix, ...more] = item.replace(/^\[(.*)\]$/, '$1').split('/');
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(network)] ?? 0;
    if (bits === 0) return isName(item) && this.#names.push(item) > 0;
    if (more.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0') || Number(prefix ?? 0) > bits) return false;
    const family = bits === 32 ? 'ipv4' : 'ipv6';
    this.#networks[family].addSubnet(network, Number(prefix ?? bits), family);
    return true;
  }

  /** Whether the list has a host by its name, or this address of it. */
  has(host: string, ip: string): boolean {
    const version = isIP(ip);
    if (version !== 0 && this.#networks[version === 4 ? 'ipv4' : 'ipv6'].check(ip, version === 4 ? 'ipv4' : 'ipv6')) return true;
    return isListedHost(host.toLowerCase(), this.#names);
  }
}

/** Whether a text is a name as an address has it, without a port; `*.` before it stands for all names below it. */
function isName(item: string): boolean {
  const name = item.replace(/^\*\./, '');
  return /^[\w-][\w.-]*$/.test(name) && URL.parse(`http://${name}/`)?.hostname === name && !isTooWide(item);
}

/** Returns the host of an address as name servers and sockets have it: one of IPv6 without brackets. */
export function bareHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether an address is one of HTTPS, or one of HTTP whose host is opened by its name, or as the address that it is. */
export function isWebAddress({ protocol, hostname }: URL, hosts: PrivateHosts): boolean {
  if (protocol !== 'http:') return protocol === 'https:';
  const host = bareHost({ hostname });
  return typeof hosts === 'boolean' ? hosts : hosts.has(host, host);
}
