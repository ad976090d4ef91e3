import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, Readable, Transform } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { isPublicAddress } from './address-rules.ts';

/** The host resolves to an address that this server must not call. */
export class HostRefused extends Error {
  readonly code = 'EHOSTREFUSED';

  constructor(host: string) {
    super(`The host ${host} is not on the public internet.`);
    this.name = 'HostRefused';
  }
}

export type EgressOptions = {
  /** True for addresses that the operator chose, or has allowed users to choose. */
  allowPrivate: boolean;
  /** Longest silence of the other side (ms): until the answer's head, and between two pieces of its body. */
  idleTimeoutMs?: number;
};

/** Model servers may think for minutes before the first word. */
const defaultIdleTimeoutMs = 300_000;

/** Far more than any model writes: without an end, one answer could fill the memory of all users (bytes). */
const longestAnswer = 32 * 1024 * 1024;

/**
 * A `fetch` for addresses that come from people. The name is resolved once, and the connection goes to that very address,
 * so that nobody can answer the check with one address and the call with another. Connections are kept for this egress
 * alone: one that the operator's was allowed to open never serves a user's. Redirects are not followed. Throws `HostRefused`
 * for a closed address, otherwise what Node's sockets throw (`ECONNREFUSED`, `ENOTFOUND`, `ETIMEDOUT`); an answer without end
 * breaks off with `EANSWERTOOLONG`.
 */
export function createEgress(options: EgressOptions): typeof fetch {
  const agents = { http: new http.Agent(keptConnections), https: new https.Agent(keptConnections) };
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('Only http and https are called.');
    if (url.username !== '' || url.password !== '') throw new TypeError('An address with a name and password is not called.');
    if (!options.allowPrivate) refuseClosedLiteral(url);
    return send(url, init, options, url.protocol === 'https:' ? agents.https : agents.http);
  };
}

/** As Node's own agent keeps them. */
const keptConnections: http.AgentOptions = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 };

/** A slow name server holds nobody up who saves an address (ms). */
const longestLookupMs = 2_000;

/**
 * Checks an address when it is saved, with the rule it will meet on use. A name that does not resolve now, or not soon, is
 * let through: the call itself decides again.
 */
export async function isHostAllowed(address: string, options: Pick<EgressOptions, 'allowPrivate'>): Promise<boolean> {
  if (options.allowPrivate) return true;
  const host = bareHost(new URL(address));
  if (isIP(host)) return isPublicAddress(host);
  const answer = lookup(host, { all: true }).catch(() => []);
  const found = await Promise.race([answer, wait(longestLookupMs, [], { ref: false })]);
  return found.every(({ address: ip }) => isPublicAddress(ip));
}

function refuseClosedLiteral(url: URL): void {
  const host = bareHost(url);
  if (isIP(host) && !isPublicAddress(host)) throw new HostRefused(host);
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function send(url: URL, init: RequestInit, options: EgressOptions, agent: http.Agent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const idleTimeoutMs = options.idleTimeoutMs ?? defaultIdleTimeoutMs;
    const headers = Object.fromEntries(new Headers(init.headers));
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      agent,
      method: init.method ?? 'GET',
      headers: { ...headers, 'accept-encoding': 'identity' },
      timeout: idleTimeoutMs,
      lookup: options.allowPrivate ? undefined : publicLookup,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    let begun: http.IncomingMessage | null = null;
    request.on('timeout', () => {
      // Whoever reads the answer must be told why it ends, or a silence looks like a lost connection.
      (begun ?? request).destroy(Object.assign(new Error('The server was silent for too long.'), { code: 'ETIMEDOUT' }));
    });
    request.on('error', reject);
    request.on('response', (answer) => {
      begun = answer;
      resolve(toResponse(answer));
    });
    request.end(typeof init.body === 'string' ? init.body : undefined);
  });
}

/** Statuses whose answers have no body, by the fetch standard. */
const bodiless = new Set([204, 205, 304]);

function toResponse(answer: http.IncomingMessage): Response {
  const status = answer.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (bodiless.has(status)) answer.resume();
  const body = bodiless.has(status) ? null : (Readable.toWeb(withinLimit(answer)) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}

/** What goes wrong on either side ends the other: a reader that stops closes the connection. */
function withinLimit(answer: http.IncomingMessage): Readable {
  let length = 0;
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      length += piece.length;
      if (length <= longestAnswer) done(null, piece);
      else done(Object.assign(new Error('The answer is too long.'), { code: 'EANSWERTOOLONG' }));
    },
  });
  return pipeline(answer, counted, () => {});
}

const publicLookup: LookupFunction = (hostname, lookupOptions, callback) => {
  lookup(hostname, { ...lookupOptions, all: true }).then(
    (found) => {
      const first = found[0];
      if (!first || found.some(({ address }) => !isPublicAddress(address))) callback(new HostRefused(hostname), []);
      else if (lookupOptions.all) callback(null, found);
      else callback(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => callback(error, []),
  );
};
