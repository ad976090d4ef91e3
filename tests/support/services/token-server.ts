import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

type Exchange = { method: string; path: string; headers: http.IncomingHttpHeaders; form: Record<string, string> };

export type TokenServer = {
  /** The URL at which keys are exchanged. */
  url: string;
  exchanges: Exchange[];
  /** Sets the answer to the next exchanges. By default a token that is valid for half an hour. */
  answer: (script: TokenReply) => void;
  /** Whether an `Authorization` header has the latest token. */
  knows: (authorization: string | undefined) => boolean;
  /** Invalidates all tokens that were issued. */
  revoke: () => void;
  close: () => Promise<void>;
};

type TokenReply =
  | { kind: 'token'; lifeMs: number }
  | { kind: 'status'; status: number; body: object; retryAfter?: string }
  | { kind: 'garbage' }
  /** Sends nothing until `release` is called with it. */
  | { kind: 'after'; release: Promise<void> };

const halfAnHourMs = 30 * 60_000;

/** A local server that exchanges GigaChat's keys for tokens, over TLS when it has a certificate. */
export async function startTokenServer(tls?: { key: string; cert: string }): Promise<TokenServer> {
  const exchanges: Exchange[] = [];
  let script: TokenReply = { kind: 'token', lifeMs: halfAnHourMs };
  let latest: string | null = null;
  let given = 0;

  const handle: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
      exchanges.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, form });
      const reply = script;
      if (reply.kind === 'after') await reply.release;
      if (reply.kind === 'garbage') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>');
      } else if (reply.kind === 'status') {
        const wait = reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter };
        response.writeHead(reply.status, { 'content-type': 'application/json', ...wait }).end(JSON.stringify(reply.body));
      } else {
        given += 1;
        latest = `token-number-${given}`;
        const lifeMs = reply.kind === 'token' ? reply.lifeMs : halfAnHourMs;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ access_token: latest, expires_at: Date.now() + lifeMs }));
      }
    });
  };
  const server = tls ? https.createServer(tls, handle) : http.createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${port}/api/v2/oauth`,
    exchanges,
    answer(next) {
      script = next;
    },
    knows: (authorization) => latest !== null && authorization === `Bearer ${latest}`,
    revoke() {
      latest = null;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
