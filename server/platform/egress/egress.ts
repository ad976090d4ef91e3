import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isMetadataAddress, isPublicAddress } from './address-rules.ts';
import { bareHost, type PrivateHosts } from './private-hosts.ts';
import type { Proxies, WebProxy } from './proxies.ts';
import { createScrubber, type Pieces, type Scrubber } from './scrubber.ts';
import { sentSecrets } from './sent-secrets.ts';
import { createTunnelAgents } from './tunnel.ts';

/** The host resolves to an address that this server must not call. */
export class HostRefused extends Error {
  readonly code = 'EHOSTREFUSED';

  constructor(host: string) {
    super(`The host ${host} is not on the public internet.`);
    this.name = 'HostRefused';
  }
}

/** The other side sends more than is read from it. */
export class ResponseTooLong extends Error {
  readonly code = 'EANSWERTOOLONG';

  constructor() {
    super('The answer is too long.');
    this.name = 'AnswerTooLong';
  }
}

type EgressOptions = {
  /** True for addresses that the operator chose; else what users may choose of private networks. A cloud's metadata service stays blocked. */
  allowPrivate: PrivateHosts;
  /** Origins with an IP address that may be called on a private network all the same. */
  openOrigins?: readonly string[];
  /** The proxies that calls go through; null where they reach this machine only, or one that the operator runs beside it. */
  proxies: Proxies | null;
  /** The longest silence of the other side (ms): before the response head, and between two pieces of the body. */
  idleTimeoutMs?: number;
  /** The longest duration of one call, from the request to the end of the body (ms). */
  totalTimeoutMs?: number;
};

/** Model servers may need minutes before the first word. */
const defaultIdleTimeoutMs = 300_000;
/** The limit of a whole run: a server that sends one byte now and then is never silent. */
const defaultTotalTimeoutMs = 3_600_000;

/**
 * `secrets`: values that the caller knows to be secret, beside those that `sentSecrets` finds. `isFramed`: lengths are part of the answer's format,
 * so that its length stays when a secret is taken out. `maxBytes`: the longest body, where it is not that of a stream.
 */
export type EgressRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  secrets?: readonly string[];
  isFramed?: boolean;
  maxBytes?: number;
};

/**
 * Calls an address. Resolves with the response head; the body is read afterwards. A reader that stops closes the connection. What the other side says
 * comes without the secrets that the request sent: it may be stored, logged and shown.
 */
export type Egress = (address: string, request?: EgressRequest) => Promise<Answer>;

export type Answer = {
  status: number;
  /** True for a status of 2xx. */
  ok: boolean;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
  /** Reads the whole body as UTF-8. `onRead` gets the length of each piece (bytes). Throws `AnswerTooLong` past `maxTextBytes`, and what `onRead` throws. */
  text: (onRead?: (bytes: number) => void) => Promise<string>;
  /** Takes the secrets of the request out of what its reader decodes: text of JSON, or of many events together. */
  scrubber: Scrubber;
};

/** The longest stream (bytes). It wraps each word in about 250 bytes. */
const maxStreamBytes = 32 * 1024 * 1024;
/** The longest body that is read as a whole (bytes): an answer of 1 MiB with every second byte escaped. */
const maxTextBytes = 4 * 1024 * 1024;

/**
 * Calls addresses that users entered. The name is resolved once, and the connection goes to that very address. So a name server cannot
 * answer the check with one address and the call with another. Connections are reused by this egress only: a connection to an address that
 * only the operator may use never serves a user's call. Redirects are not followed. Throws `HostRefused` for a blocked address, otherwise
 * the errors of Node's sockets (`ECONNREFUSED`, `ENOTFOUND`, `ETIMEDOUT`); an endless answer fails with `EANSWERTOOLONG`.
 */
export function createEgress(options: EgressOptions): Egress {
  const direct: Agents = { http: new http.Agent(keptConnections), https: new https.Agent(keptConnections) };
  const tunnels = new Map<string, Agents>();
  const agentsFor = (proxies: Proxies, proxy: WebProxy): Agents => {
    // What fails names the setting.
    const key = `${proxy.setting} ${proxy.url.href}`;
    const made = tunnels.get(key) ?? createTunnelAgents(proxy, proxies, keptConnections);
    tunnels.set(key, made);
    return made;
  };
  return async (address, request = {}) => {
    const url = new URL(address);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('Only http and https are called.');
    if (url.username !== '' || url.password !== '') throw new TypeError('An address with a name and password is not called.');
    const proxies = options.proxies;
    const proxy = proxies?.of(url) ?? null;
    refuseClosedLiteral(url, options);
    if (proxies?.resolves && proxy && !isOpenName(url, options)) throw new HostRefused(bareHost(url));
    const agents = proxies && proxy ? agentsFor(proxies, proxy) : direct;
    return send(url, request, options, { agent: url.protocol === 'https:' ? agents.https : agents.http, isTunnel: proxy !== null });
  };
}

type Agents = { http: http.Agent; https: https.Agent };
type Way = { agent: http.Agent; isTunnel: boolean };

/** The limit of Node's own agent. */
const keptConnections: http.AgentOptions = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 };

/** How long saving an address waits for the name server (ms). */
const maxLookupMs = 2_000;

/**
 * Checks an address when it is saved, by the rule that applies when it is used. A name that does not resolve in time is accepted: the
 * call checks again.
 */
export async function isHostAllowed(address: string, options: AddressRule): Promise<boolean> {
  const url = new URL(address);
  const host = bareHost(url);
  if (isIP(host)) return isOpenLiteral(url, options);
  if (options.proxies?.resolves && options.proxies.of(url)) return isOpenName(url, options);
  const answer = lookup(host, { all: true }).catch(() => []);
  const found = await Promise.race([answer, wait(maxLookupMs, [], { ref: false })]);
  return found.every(({ address: ip }) => isOpen(host, ip, options));
}

type AddressRule = Pick<EgressOptions, 'allowPrivate' | 'openOrigins' | 'proxies'>;

function isOpen(host: string, ip: string, { allowPrivate }: Pick<AddressRule, 'allowPrivate'>): boolean {
  if (allowPrivate === false || isMetadataAddress(ip)) return isPublicAddress(ip);
  return allowPrivate === true || isPublicAddress(ip) || allowPrivate.has(host, ip);
}

function refuseClosedLiteral(url: URL, rule: AddressRule): void {
  const host = bareHost(url);
  if (isIP(host) && !isOpenLiteral(url, rule)) throw new HostRefused(host);
}

function isOpenLiteral(url: URL, rule: AddressRule): boolean {
  return rule.openOrigins?.includes(url.origin) === true || isOpen(bareHost(url), bareHost(url), rule);
}

/** Names by which networks call their own hosts. */
const localName =
  /^[^.]*$|\.(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|svc|cluster|consul|default|test)$/;
/** Names of metadata services of clouds. */
const metadataName = /^(?:metadata(?:\.google\.internal|\.goog|\.tencentyun\.com)?|instance-data(?:\.ec2\.internal)?)$/;

/** Whether a name may be called that only a proxy resolves: what it leads to is not known here. */
function isOpenName(url: URL, { allowPrivate }: AddressRule): boolean {
  const name = bareHost(url).replace(/\.$/, '');
  // A proxy may take dots away, and the rest may be an address.
  if (metadataName.test(name) || /^\.|\.\.|\.$/.test(name)) return false;
  if (isIP(name) || !localName.test(name)) return true;
  return typeof allowPrivate === 'boolean' ? allowPrivate : allowPrivate.has(name, '');
}

function send(url: URL, { body, ...head }: EgressRequest, options: EgressOptions, way: Way): Promise<Answer> {
  const scrubber = createScrubber(sentSecrets(url, { ...head, ...(body !== undefined && { body }) }));
  // No listener may refer to the body: a long answer would keep it in memory.
  const { request, answer } = openRequest(url, { ...head, scrubber }, options, way);
  if (!request.destroyed) request.end(body);
  return answer;
}

type OpenRequest = { request: http.ClientRequest; answer: Promise<Answer> };

function openRequest(
  url: URL,
  {
    method,
    headers,
    signal,
    isFramed = false,
    maxBytes = maxStreamBytes,
    scrubber,
  }: Omit<EgressRequest, 'body' | 'secrets'> & { scrubber: Scrubber },
  options: EgressOptions,
  { agent, isTunnel }: Way,
): OpenRequest {
  const idleTimeoutMs = options.idleTimeoutMs ?? defaultIdleTimeoutMs;
  // A request whose connection is not there yet would hear of its end only with it.
  const ended = isTunnel ? new AbortController() : null;
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    agent,
    method: method ?? 'GET',
    headers: { ...headers, 'accept-encoding': 'identity' },
    timeout: idleTimeoutMs,
    lookup: guardedLookup(options),
    ...(ended && { tunnel: { timeoutMs: idleTimeoutMs, ended: ended.signal } }),
  });
  let begun: http.IncomingMessage | null = null;
  const end = (error: Error) => {
    (begun ?? request).destroy(error);
    ended?.abort(error);
  };
  // The reader must learn the reason: a silence would look like a lost connection.
  const timeOut = (message: string) => end(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  request.on('timeout', () => timeOut('The server was silent for too long.'));
  const deadline = setTimeout(() => timeOut('The call took too long.'), options.totalTimeoutMs ?? defaultTotalTimeoutMs);
  deadline.unref();
  // Not an option of the request: its agent would bind the signal to the connection, which outlives the call.
  const abort = () => {
    if (!begun?.complete) end(abortErrorOf(signal));
  };
  signal?.addEventListener('abort', abort);
  const answer = new Promise<Answer>((resolve, reject) => {
    request.on('error', reject);
    request.on('close', () => {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
      // Node closes a call whose answer switches protocols, and reports no error.
      if (begun === null) reject(Object.assign(new Error('The server gave no answer.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
    });
    request.on('response', (message) => {
      begun = message;
      resolve(toAnswer(message, scrubber, { isFramed, maxBytes }));
    });
  });
  if (signal?.aborted) abort();
  return { request, answer };
}

/** The error of Node's own calls. */
function abortErrorOf(signal: AbortSignal | undefined): Error {
  return Object.assign(new Error('The operation was aborted.', { cause: signal?.reason }), { name: 'AbortError', code: 'ABORT_ERR' });
}

type AnswerForm = Required<Pick<EgressRequest, 'isFramed' | 'maxBytes'>>;

function toAnswer(message: http.IncomingMessage, scrubber: Scrubber, { isFramed, maxBytes }: AnswerForm): Answer {
  const status = message.statusCode ?? 502;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = scrubber.text(Array.isArray(value) ? value.join(', ') : value);
  }
  const body = scrubbed(withinLimit(message, maxBytes), scrubber.bytes({ keepsLength: isFramed }));
  const text: Answer['text'] = async (onRead) => {
    const decoder = new TextDecoder();
    let read = '';
    let length = 0;
    for await (const piece of body) {
      length += piece.length;
      if (length > maxTextBytes) throw new ResponseTooLong();
      onRead?.(piece.length);
      read += decoder.decode(piece, { stream: true });
    }
    return read + decoder.decode();
  };
  return { status, ok: status >= 200 && status < 300, headers, body, text, scrubber };
}

async function* scrubbed(body: AsyncIterable<Uint8Array>, pieces: Pieces<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    const known = pieces.push(piece);
    if (known.length > 0) yield known;
  }
  const rest = pieces.end();
  if (rest.length > 0) yield rest;
}

/**
 * Connects both directions: an error on either side ends the other. A reader that stops closes the connection, unless the whole answer
 * has arrived and the connection can carry the next call.
 */
async function* withinLimit(message: http.IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const piece of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw new ResponseTooLong();
      yield piece;
    }
  } finally {
    if (message.complete) message.resume();
    else message.destroy();
  }
}

/** Resolves a name once, for the connection that goes to that very address. Fails with `HostRefused` where one of its addresses is closed. */
export function guardedLookup(rule: Pick<AddressRule, 'allowPrivate'>): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }).then(
      (found) => {
        const first = found[0];
        if (!first || found.some(({ address }) => !isOpen(hostname, address, rule))) callback(new HostRefused(hostname), []);
        else if (lookupOptions.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
