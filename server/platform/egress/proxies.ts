import { isIP } from 'node:net';
import { isLoopbackHost } from '../loopback.ts';
import { bareHost, HostList } from './private-hosts.ts';

/** A proxy of the operator, with the setting that names it. */
export type WebProxy = { url: URL; setting: string };

/** The settings of proxies. `hosts`: what is set for single hosts, in the order in which it counts; null for no proxy. */
type ProxySettings = {
  https: URL | null;
  http: URL | null;
  none: string;
  hosts: readonly { host: string; url: URL | null }[];
  resolves: boolean;
};

const ofHosts = 'ARTEL_PROXY_HOSTS';

/** Which proxy a call goes through. */
export class Proxies {
  /** Whether only the proxy resolves names. */
  readonly resolves: boolean;
  readonly #https: WebProxy | null;
  readonly #http: WebProxy | null;
  readonly #hosts: readonly { isMeant: HostTest | null; proxy: WebProxy | null }[];

  constructor({ https, http, none, hosts, resolves }: ProxySettings) {
    this.resolves = resolves;
    this.#https = https && { url: https, setting: 'HTTPS_PROXY' };
    this.#http = http && { url: http, setting: 'HTTP_PROXY' };
    const direct = none.split(/[\s,]+/).filter((item) => item !== '');
    this.#hosts = [
      ...hosts.map(({ host, url }) => ({ isMeant: hostTest(host), proxy: url && { url, setting: ofHosts } })),
      ...direct.map((item) => ({ isMeant: hostTest(item), proxy: null })),
    ];
  }

  /** Returns the proxy for an address; null where it is called directly, as this machine always is. */
  of(url: URL): WebProxy | null {
    if (isLoopbackHost(url.host)) return null;
    const own = this.#hosts.find(({ isMeant }) => isMeant?.(url));
    if (own) return own.proxy;
    return url.protocol === 'https:' ? this.#https : this.#http;
  }

  /** The passwords of all proxies, as they are and as an address and a header have them. */
  get secrets(): string[] {
    const all = [this.#https, this.#http, ...this.#hosts.map(({ proxy }) => proxy)];
    return all.flatMap((proxy) => {
      const credentials = proxy && credentialsOf(proxy);
      if (!proxy || !credentials) return [];
      // A name without a password is a token.
      const secret = proxy.url.password || proxy.url.username;
      const { username, password } = proxy.url;
      // A short password is no secret of its own for a scrubber: it would take out other words. In an address it is one.
      return [secret, decodeURIComponent(secret), credentials, `${username}:${password}@`];
    });
  }
}

/** Returns name and password of a proxy as its header has them; null for none. */
export function credentialsOf({ url: { username, password } }: WebProxy): string | null {
  if (username === '' && password === '') return null;
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
}

type HostTest = (url: URL) => boolean;

/**
 * Returns whether an item means the host of an address: `*` means all, a name itself and all names below it, with a dot or `*.` before it or without. An
 * address and a network mean hosts that are called by their address. A port may follow. Returns null for an item of another form.
 */
function hostTest(item: string): HostTest | null {
  if (item === '*') return () => true;
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(item) ?? [null, item];
  const isPort = ({ protocol, port: asked }: URL) =>
    port === undefined || port === (asked === '' ? (protocol === 'https:' ? '443' : '80') : asked);
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isIP(bare.split('/')[0] ?? '') === 0) {
    const name = nameIn(bare);
    return name === '' ? null : (url) => isPort(url) && `.${nameOf(url)}`.endsWith(`.${name}`);
  }
  const networks = HostList.from([bare]);
  return networks && ((url) => isPort(url) && networks.has('', nameOf(url)));
}

/** Whether an item can mean a host. `NO_PROXY` passes over others, as it does for other programs. */
export function isHostItem(item: string): boolean {
  return hostTest(item) !== null;
}

/** The name of an item as addresses have it, so in ASCII; empty for none. */
function nameIn(item: string): string {
  const name = item.replace(/^\*?\./, '').replace(/\.$/, '');
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) ? (URL.parse(`http://${name}/`)?.hostname ?? '') : '';
}

function nameOf(url: URL): string {
  return bareHost(url).replace(/\.$/, '');
}
