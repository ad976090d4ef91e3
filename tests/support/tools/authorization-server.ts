import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type AuthorizationServer = {
  url: string;
  metadata: Record<string, unknown>;
  /** The documents and forms that it was sent, by path. */
  asked: { path: string; fields: Record<string, unknown>; authorization: string | undefined }[];
  /** What it adds to the answer to a registration. */
  registered: Record<string, unknown>;
  /** Secrets of clients, by client id: each has to be proved, in the one way that the document allows. */
  secrets: Map<string, string>;
  /** Lets a person sign in on a page of it. Returns the address that the person is sent back to. */
  approve: (page: string) => URL;
  /** Takes no grant any more. */
  endGrants: () => void;
  close: () => Promise<void>;
};

/** An authorization server with registration, PKCE, and refresh tokens that it takes once: a second use ends the grant. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const asked: AuthorizationServer['asked'] = [];
  const challenges = new Map<string, { challenge: string; redirect: string; client: string }>();
  const refreshable = new Set<string>();
  let made = 0;
  let hasEnded = false;
  const metadata: Record<string, unknown> = {};
  const registered: Record<string, unknown> = {};
  const secrets = new Map<string, string>();

  const isProved = (fields: Record<string, string>, authorization: string | undefined): boolean => {
    const [id = '', basic] = Buffer.from(authorization?.slice('Basic '.length) ?? '', 'base64')
      .toString()
      .split(':')
      .map(decodeURIComponent);
    const client = fields.client_id ?? id;
    const secret = secrets.get(client);
    const methods = metadata.token_endpoint_auth_methods_supported as string[];
    if (secret === undefined) return authorization === undefined && fields.client_secret === undefined;
    if (methods.includes('client_secret_basic')) return basic === secret && fields.client_secret === undefined;
    return fields.client_secret === secret && authorization === undefined;
  };

  const tokens = () => {
    made += 1;
    refreshable.add(`refresh-${made}`);
    return { access_token: `access-${made}`, token_type: 'Bearer', expires_in: 3_600, refresh_token: `refresh-${made}` };
  };
  const exchange = (fields: Record<string, string>): object => {
    const refused = { error: 'invalid_grant' };
    if (hasEnded) return refused;
    if (fields.grant_type === 'refresh_token') return refreshable.delete(fields.refresh_token ?? '') ? tokens() : refused;
    const begun = challenges.get(fields.code ?? '');
    challenges.delete(fields.code ?? '');
    const challenge = createHash('sha256')
      .update(fields.code_verifier ?? '')
      .digest('base64url');
    const fits =
      begun?.challenge === challenge && begun.redirect === fields.redirect_uri && begun.client === (fields.client_id ?? begun.client);
    return fits ? tokens() : refused;
  };

  const server = http.createServer(async (request, response) => {
    const path = request.url ?? '';
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET') return path === '/.well-known/oauth-authorization-server' ? send(200, metadata) : send(404, {});
    let text = '';
    for await (const piece of request) text += piece;
    const isForm = request.headers['content-type']?.includes('form') ?? false;
    const fields = (isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)) as Record<string, string>;
    const { authorization } = request.headers;
    asked.push({ path, fields, authorization });
    if (path === '/register') return send(201, { ...fields, client_id: 'registered-1', ...registered });
    if (!isProved(fields, authorization)) return send(401, { error: 'invalid_client', error_description: `Wrong: ${text}` });
    const answer = exchange(fields);
    return send('error' in answer ? 400 : 200, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(metadata, {
    ...{
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
    },
    ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'] },
    authorization_response_iss_parameter_supported: true,
  });
  return {
    ...{ url, metadata, asked, registered, secrets },
    approve: (page) => {
      const asks = new URL(page).searchParams;
      const code = `code-${asks.get('code_challenge')}`;
      const redirect = asks.get('redirect_uri') ?? '';
      challenges.set(code, { challenge: asks.get('code_challenge') ?? '', redirect, client: asks.get('client_id') ?? '' });
      const back = new URL(redirect);
      back.search = new URLSearchParams({ code, state: asks.get('state') ?? '', iss: url }).toString();
      return back;
    },
    endGrants: () => {
      hasEnded = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
