import http from 'node:http';
import https from 'node:https';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopbackHost } from '../loopback.ts';
import { bareHost } from './private-hosts.ts';
import { credentialsOf, type Proxies, type WebProxy } from './proxies.ts';
import { isUntrustedCertificate } from './untrusted-certificate.ts';

type Code = 'EPROXYAUTH' | 'EPROXYCERT' | 'EPROXYREFUSED' | 'EPROXYDOWN' | 'ETIMEDOUT' | 'ENOTFOUND' | 'EAI_AGAIN';

/** A proxy has opened no connection. The message says what the operator can do, and holds neither password nor address of the proxy. */
export class ProxyFailed extends Error {
  /** `EPROXYDOWN` and `EAI_AGAIN` pass by themselves, perhaps. */
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = 'ProxyFailed';
    this.code = code;
  }
}

/** Returns what a failed call says of its proxy; null where no proxy is to blame. */
export function proxyTrouble(error: unknown): string | null {
  let at = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if (at instanceof ProxyFailed) return at.message;
    at = at.cause;
  }
  return null;
}

/** What a tunnel needs beside the options of its request. */
export type TunnelOptions = {
  /** The longest silence of the proxy (ms). */
  timeoutMs: number;
  /** Aborts when the call ends. */
  ended: AbortSignal;
};

type ConnectionOptions = http.ClientRequestArgs & { tunnel?: TunnelOptions };
type Opened = (error: Error | null, socket: Duplex) => void;

/** Makes agents whose connections a proxy carries, both kinds by CONNECT: what is asked and answered reaches the proxy as it reaches the host. */
export function createTunnelAgents(proxy: WebProxy, { resolves }: Pick<Proxies, 'resolves'>, kept: https.AgentOptions) {
  const open = ({ tunnel, ...options }: ConnectionOptions, opened: Opened | undefined, wrap: (socket: Socket) => Duplex) => {
    if (!tunnel) throw new TypeError('A tunnel needs its limits.');
    openTunnel(proxy, { ...options, ...tunnel, resolves })
      .then(wrap)
      .then((socket) => opened?.(null, socket), opened as (error: Error) => void);
  };
  const plain = new (class extends http.Agent {
    override createConnection(options: ConnectionOptions, opened?: Opened): undefined {
      open(options, opened, (socket) => socket);
    }
  })(kept);
  const encrypted = new (class extends https.Agent {
    override createConnection({ tunnel, ...options }: ConnectionOptions, opened?: Opened): undefined {
      const encrypt = (socket: Socket) => super.createConnection({ ...options, socket } as https.RequestOptions) as Duplex;
      open({ ...options, ...(tunnel && { tunnel }) }, opened, encrypt);
    }
  })(kept);
  return { http: plain, https: encrypted };
}

type Target = Pick<http.ClientRequestArgs, 'host' | 'port' | 'lookup'> & TunnelOptions & { resolves: boolean };

/** Asks a proxy for a connection to the very address that was judged. A name that leads to this machine is called from here. */
async function openTunnel(proxy: WebProxy, { host, port, lookup, resolves, timeoutMs, ended }: Target): Promise<Socket> {
  const name = host ?? '';
  const address = isIP(name) !== 0 || resolves || !lookup ? name : await addressOf(name, lookup, proxy);
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  ended.throwIfAborted();
  if (isLoopbackHost(authority)) return connect({ host: address, port: Number(port) });
  const credentials = credentialsOf(proxy);
  const { protocol, port: proxyPort } = proxy.url;
  const proxyHost = bareHost(proxy.url);
  const asked = (protocol === 'https:' ? https : http).request({
    ...{ host: proxyHost, port: proxyPort, method: 'CONNECT', path: authority, agent: false, timeout: timeoutMs },
    // Node would check the certificate for the host of the header below, which is the one behind the proxy.
    ...(protocol === 'https:' && { servername: isIP(proxyHost) === 0 ? proxyHost : '' }),
    headers: { host: authority, ...(credentials !== null && { 'proxy-authorization': `Basic ${credentials}` }) },
  });
  return new Promise((resolve, reject) => {
    const end = () => asked.destroy(ended.reason);
    ended.addEventListener('abort', end);
    asked.on('connect', ({ statusCode = 0 }, socket, head) => {
      socket.setTimeout(0);
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(refusalOf(proxy, statusCode));
    });
    asked.on('timeout', () => asked.destroy(silence(proxy)));
    asked.on('error', (error) => reject(ended.aborted || error instanceof ProxyFailed ? error : unreachable(proxy, error)));
    asked.on('close', () => ended.removeEventListener('abort', end));
    asked.end();
  });
}

/** Returns the address that the proxy is asked for. It may have no way to one of IPv6. */
function addressOf(name: string, lookup: LookupFunction, { setting }: WebProxy): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => {
      if (error?.code === 'ENOTFOUND' || error?.code === 'EAI_AGAIN') reject(unresolved(error.code, name, setting));
      else if (error || typeof found === 'string') reject(error);
      else resolve((found.find(({ family }) => family === 4) ?? found[0])?.address ?? '');
    });
  });
}

function refusalOf({ url, setting }: WebProxy, status: number): ProxyFailed {
  if (status !== 407)
    return new ProxyFailed(
      'EPROXYREFUSED',
      `The proxy of ${setting} does not connect (${status}): allow the host there, or name it in NO_PROXY.`,
    );
  const cure =
    url.username === '' && url.password === ''
      ? `asks for a name and a password (407): put them into ${setting}, as http://name:password@host:port`
      : `does not accept the name and password of ${setting} (407): correct them there, with special characters percent-encoded`;
  return new ProxyFailed('EPROXYAUTH', `The proxy of ${setting} ${cure}.`);
}

function silence({ setting }: WebProxy): ProxyFailed {
  return new ProxyFailed('ETIMEDOUT', `The proxy of ${setting} was silent for too long: check it, or name the host in NO_PROXY.`);
}

function unresolved(code: 'ENOTFOUND' | 'EAI_AGAIN', name: string, setting: string): ProxyFailed {
  const cure = `set ARTEL_PROXY_RESOLVES=on where only the proxy of ${setting} resolves names`;
  return new ProxyFailed(code, `This server cannot resolve the name ${name}: check it, or ${cure}.`);
}

function unreachable({ setting }: WebProxy, { code = '' }: NodeJS.ErrnoException): ProxyFailed {
  if (isUntrustedCertificate(code)) {
    const cure = 'If it has a root of its own, add that with NODE_EXTRA_CA_CERTS';
    return new ProxyFailed('EPROXYCERT', `The certificate of the proxy of ${setting} is not trusted. ${cure}.`);
  }
  return new ProxyFailed('EPROXYDOWN', `The proxy of ${setting} cannot be reached: check its address in ${setting}, and that it runs.`);
}
