import {
  type AddClientAuthentication,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  OAuthError,
  type OAuthServerInfo,
  type OAuthTokens,
  RegistrationRejectedError,
  refreshAuthorization,
  registerClient,
  selectResourceURL,
  startAuthorization,
} from '@modelcontextprotocol/client';
import type { Egress } from '../egress/egress.ts';
import { isWebAddress, type PrivateHosts } from '../egress/private-hosts.ts';
import { createScrubber } from '../egress/scrubber.ts';
import { isJson } from '../is-json.ts';
import { basicCredentials } from './client-tokens.ts';
import { McpFailed } from './mcp-failed.ts';
import { toMcpFailed } from './to-mcp-failed.ts';

/** A secret that a person has entered for a client of theirs, and the only address that it is sent to. */
type GivenSecret = { secret: string; tokenUrl: string };

/**
 * The client that this server is at an authorization server, and what its tokens are for. Everything here can be written as JSON. A secret that
 * the registration of the client has brought is part of it; one that a person has entered is not.
 */
type AccountClient = {
  at: Pick<OAuthServerInfo, 'authorizationServerUrl' | 'authorizationServerMetadata'>;
  client: OAuthClientInformationMixed;
  redirectUrl: string;
  resource: string | null;
};

/** A sign-in that has begun: its end must come with this `state`, before `until` (ms). */
export type PendingSignIn = AccountClient & { state: string; verifier: string; until: number };

/** What a person has allowed by signing in. `until`: the end of the access token (ms). */
export type SignedIn = AccountClient & { token: string; refreshToken: string | null; until: number };

/** How long a person has to sign in, and how long a token lives where the server does not say (ms). */
const pendingMs = 10 * 60_000;
const usualTokenMs = 60 * 60_000;
/** Documents of an authorization server: the library checks each as a whole. */
const maxDocumentLength = 64 * 1024;
const callMs = 20_000;
const maxSaid = 300;

/** `client.id` is empty for one that is to be registered. */
type SignIn = { url: string; client: { id: string; given: GivenSecret | null }; scope: string; redirectUrl: string; state: string };
type Reach = { egress: Egress; allowPrivateHosts: PrivateHosts; now: () => number };

/**
 * Begins a sign-in by the grant `authorization_code` with PKCE. The tool server names the authorization server; without a client id, this server
 * registers as a new client there. Returns what its end needs, and the page for the person. Throws `McpFailed`.
 */
export async function beginSignIn(
  { url, client: { id: clientId, given }, scope, redirectUrl, state }: SignIn,
  reach: Reach,
): Promise<{ pending: PendingSignIn; page: string }> {
  return failing(
    async (fetchFn) => {
      const challenge = await challengeOf(url, fetchFn);
      const { resourceMetadata, ...found } = await discover(url, challenge.resourceMetadataUrl, onlyDocuments(fetchFn));
      const at = { authorizationServerUrl: found.authorizationServerUrl, authorizationServerMetadata: found.authorizationServerMetadata };
      const metadata = at.authorizationServerMetadata;
      // A tool server that names another authorization server gets no page for it, and no secret.
      if (given) checkTokenUrl(given, metadata?.token_endpoint ?? new URL('/token', at.authorizationServerUrl));
      const methods = metadata?.token_endpoint_auth_methods_supported ?? [];
      if (given) secretMethod(null, methods);
      const asked = scopeOf(scope || challenge.scope || resourceMetadata?.scopes_supported?.join(' '), metadata?.scopes_supported);
      // Checks that the named resource is this very server.
      const resource = (await selectResourceURL(url, {} as OAuthClientProvider, resourceMetadata))
        ? (resourceMetadata?.resource ?? null)
        : null;
      const clientMetadata = {
        client_name: 'Artel',
        redirect_uris: [redirectUrl],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: ['none', ...secretMethods].find((method) => methods.includes(method)) ?? 'none',
      };
      const client =
        clientId === ''
          ? await register(at.authorizationServerUrl, {
              clientMetadata,
              fetchFn,
              ...(metadata && { metadata }),
              ...(asked && { scope: asked }),
            })
          : { client_id: clientId };
      const { authorizationUrl, codeVerifier: verifier } = await startAuthorization(at.authorizationServerUrl, {
        clientInformation: client,
        redirectUrl,
        state,
        ...(metadata && { metadata }),
        ...(asked && { scope: asked }),
        ...(resource && { resource }),
      });
      const isWeb = isWebAddress(authorizationUrl, reach.allowPrivateHosts);
      if (!isWeb || authorizationUrl.username !== '') throw new McpFailed('token', { said: authorizationUrl.origin.slice(0, maxSaid) });
      return {
        pending: { at, client, redirectUrl, resource, state, verifier, until: reach.now() + pendingMs },
        page: authorizationUrl.href,
      };
    },
    reach,
    { secrets: [given?.secret], isEntered: clientId !== '' },
  );
}

/** Returns what a tool server says to a request without a token: where its authorization is described, and what to ask for. */
async function challengeOf(url: string, fetchFn: FetchLike): Promise<{ resourceMetadataUrl?: URL; scope?: string }> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  // A ping begins no session.
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const answer = await fetchFn(url, { method: 'POST', headers, body }).catch((error: unknown) => {
    if (error instanceof McpFailed && error.reason === 'redirect') return null;
    throw error;
  });
  return answer && (answer.status === 401 || answer.status === 403) ? extractWWWAuthenticateParams(answer) : {};
}

/** Finds the authorization server by the address that the tool server has named, else at the usual places. */
async function discover(url: string, resourceMetadataUrl: URL | undefined, fetchFn: FetchLike): Promise<OAuthServerInfo> {
  const named = resourceMetadataUrl && (await discoverOAuthServerInfo(url, { fetchFn, resourceMetadataUrl }));
  return named?.resourceMetadata ? named : discoverOAuthServerInfo(url, { fetchFn });
}

/** Answers a redirect and a page in the place of a document as if nothing were there: the next candidate is tried then. */
function onlyDocuments(fetchFn: FetchLike): FetchLike {
  const nothing = () => new Response(null, { status: 404 });
  return async (address, init) => {
    const answer = await fetchFn(address, init).catch((error: unknown) => {
      if (error instanceof McpFailed && error.reason === 'redirect') return nothing();
      throw error;
    });
    if (!answer.ok) return answer;
    const text = await answer.text();
    return isJson(text) ? new Response(text, { headers: { 'content-type': 'application/json' } }) : nothing();
  };
}

/** Adds the scope of refresh tokens where the authorization server offers it (SEP-2207). */
function scopeOf(asked: string | undefined, offered: readonly string[] = []): string | undefined {
  if (!asked || asked.split(' ').includes(offlineAccess) || !offered.includes(offlineAccess)) return asked;
  return `${asked} ${offlineAccess}`;
}
const offlineAccess = 'offline_access';

async function register(...[server, given]: Parameters<typeof registerClient>): ReturnType<typeof registerClient> {
  if (given.metadata && !given.metadata.registration_endpoint) throw new McpFailed('no_registration');
  return registerClient(server, given).catch((cause: unknown) => {
    if (!(cause instanceof RegistrationRejectedError)) throw cause;
    throw new McpFailed('no_registration', { said: `HTTP ${cause.status} ${cause.body}`.trim().slice(0, maxSaid).toWellFormed(), cause });
  });
}

/** Exchanges the code of a sign-in for tokens. `iss`: who has issued it, by the address that the person came back to. Throws `McpFailed`. */
export function endSignIn(
  { state: _state, verifier, until: _until, ...account }: PendingSignIn,
  { code, iss, secret }: { code: string; iss: string | undefined; secret: GivenSecret | null },
  reach: Reach,
) {
  return failing(
    async (fetchFn) => {
      const { at, client, redirectUrl, resource } = account;
      const tokens = await exchangeAuthorization(at.authorizationServerUrl, {
        clientInformation: client,
        authorizationCode: code,
        codeVerifier: verifier,
        redirectUri: redirectUrl,
        fetchFn,
        addClientAuthentication: authentication(client, secret),
        ...(at.authorizationServerMetadata && { metadata: at.authorizationServerMetadata }),
        ...(resource && { resource }),
        ...(iss !== undefined && { iss }),
      });
      return withTokens(account, tokens, reach);
    },
    reach,
    provedBy(account, secret),
  );
}

/**
 * Returns the same with a new access token. Throws `McpFailed`: with `sign_in` where the person has to sign in again, with `client_refused` where
 * the client that the person has entered is refused.
 */
export function refreshSignIn(
  { token: _token, refreshToken, until: _until, ...account }: SignedIn,
  secret: GivenSecret | null,
  reach: Reach,
): Promise<SignedIn> {
  return failing(
    async (fetchFn) => {
      if (refreshToken === null) throw new McpFailed('sign_in');
      const { at, client, resource } = account;
      const tokens = await refreshAuthorization(at.authorizationServerUrl, {
        clientInformation: client,
        refreshToken,
        fetchFn,
        addClientAuthentication: authentication(client, secret),
        ...(at.authorizationServerMetadata && { metadata: at.authorizationServerMetadata }),
        ...(resource && { resource }),
      });
      return withTokens(account, tokens, reach);
    },
    reach,
    provedBy(account, secret),
  );
}

/** The ways to send a secret that this server knows; the first that an authorization server takes is used. */
const secretMethods = ['client_secret_basic', 'client_secret_post'] as const;

/** Returns how a secret is sent: as its registration says, else as the server's document allows. `supported` is empty where it does not say. */
function secretMethod(registered: string | null, supported: readonly string[]): (typeof secretMethods)[number] {
  const known = secretMethods.find((method) => method === registered);
  const method = known ?? secretMethods.find((one) => supported.length === 0 || supported.includes(one));
  if (!method) throw new McpFailed('token', { said: supported.join(', ').slice(0, maxSaid) });
  return method;
}

function checkTokenUrl({ tokenUrl }: GivenSecret, named: string | URL): void {
  const { href } = new URL(named);
  if (href !== tokenUrl) throw new McpFailed('other_token_address', { said: href.slice(0, maxSaid) });
}

/** Adds what the client proves itself with: its id, and the secret that it was registered with or that a person has entered. */
function authentication(client: OAuthClientInformationMixed, given: GivenSecret | null): AddClientAuthentication {
  return (headers, params, address, metadata) => {
    if (given) checkTokenUrl(given, address);
    const registered = ('token_endpoint_auth_method' in client && client.token_endpoint_auth_method) || null;
    const secret = given?.secret ?? (registered === 'none' ? undefined : client.client_secret);
    const method = secret && secretMethod(registered, metadata?.token_endpoint_auth_methods_supported ?? []);
    if (method === 'client_secret_basic') headers.set('authorization', basicCredentials(client.client_id, secret as string));
    else params.set('client_id', client.client_id);
    if (method === 'client_secret_post') params.set('client_secret', secret as string);
  };
}

function withTokens(account: AccountClient, { access_token: token, refresh_token, expires_in }: OAuthTokens, { now }: Reach): SignedIn {
  // It is sent in a header.
  if (!/^[!-~]{1,16000}$/.test(token)) throw new McpFailed('token');
  return {
    ...account,
    token,
    refreshToken: refresh_token ?? null,
    until: now() + (expires_in === undefined ? usualTokenMs : expires_in * 1_000),
  };
}

/** What a client proves itself with. `isEntered`: by a person, and not by a registration, which the next sign-in repeats. */
type Proof = { secrets: (string | null | undefined)[]; isEntered: boolean };

function provedBy({ client }: AccountClient, given: GivenSecret | null, ...sent: (string | null)[]): Proof {
  return { secrets: [given?.secret, client.client_secret, ...sent], isEntered: !('redirect_uris' in client) };
}

/** What an authorization server answers when it takes a grant, or this client, no more. */
const ended: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

/** Gives work a `fetch` through the guard, within one time limit, and turns its errors into failures. */
async function failing<T>(work: (fetchFn: FetchLike) => Promise<T>, { egress }: Reach, { secrets, isEntered }: Proof): Promise<T> {
  try {
    return await work(fetchThrough(egress, AbortSignal.timeout(callMs)));
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_client' && isEntered)
      throw new McpFailed('client_refused', { cause: error });
    if (error instanceof OAuthError && ended.has(error.code)) throw new McpFailed('sign_in', { cause: error });
    const failed = toMcpFailed(error);
    // Some servers repeat what they were sent.
    const scrubber = createScrubber(secrets.filter((secret) => typeof secret === 'string'));
    const plain = (text: string | null) => text && scrubber.text(text).slice(0, maxSaid).toWellFormed();
    const said = plain(failed.said);
    throw failed.reason === 'protocol' || failed.reason === 'unreachable'
      ? new McpFailed('token', { said: said ?? plain(error instanceof Error ? error.message : null) })
      : new McpFailed(failed.reason, { said });
  }
}

/** No redirect is followed, and a document has 64 KiB. */
function fetchThrough(egress: Egress, signal: AbortSignal): FetchLike {
  return async (address, init = {}) => {
    const body = init.body instanceof URLSearchParams ? String(init.body) : typeof init.body === 'string' ? init.body : undefined;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), 'user-agent': 'Artel' };
    const answer = await egress(String(address), { method: init.method ?? 'GET', headers, signal, ...(body !== undefined && { body }) });
    const text = await answer.text();
    if (answer.status >= 300 && answer.status < 400)
      throw new McpFailed('redirect', { said: (answer.headers.location ?? '').slice(0, maxSaid) });
    if (text.length > maxDocumentLength) throw new McpFailed('too_large');
    const told = ['content-type', 'www-authenticate'].flatMap((name) => {
      const value = answer.headers[name];
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    const isEmpty = answer.status === 204 || answer.status === 205;
    return new Response(isEmpty ? null : text, { status: answer.status, headers: told });
  };
}
