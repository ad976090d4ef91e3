import { beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ToolServer as Server, ToolServerTest, ToolSignIn, ToolSignInEnd } from '../../../contract/tool-server.ts';
import { signInReturn } from '../../../src/app/workspace/tools/sign-in-return.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUp, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/tools/authorization-server.ts';
import { startToolServer } from '../../support/tools/tool-server.ts';

const tools = setUp(startToolServer, ({ close }) => close());
const { database, server } = setUpServerOnDatabase({ ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' });
let gate: AuthorizationServer;
let ann: RunAccount;

beforeEach(async () => {
  ann = await signUp(server.url);
  gate = await startAuthorizationServer();
  tools.list([{ name: 'find', description: 'Finds tickets.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]);
  tools.headers.length = 0;
  /** Tokens that the tool server takes. */
  const taken = /^Bearer access-\d+$/;
  tools.lie(({ headers, response }) => {
    if (taken.test(headers.authorization ?? '') && headers.authorization !== `Bearer ${withdrawn}`) return false;
    response.writeHead(401).end();
    return true;
  });
  withdrawn = '';
  tools.documents.set('/.well-known/oauth-protected-resource/mcp', { resource: tools.url, authorization_servers: [gate.url] });
  return () => gate.close();
});

/** A token that the tool server takes no more. */
let withdrawn = '';

const path = '/project/default/tool-servers';
const add = async (given: object = {}) =>
  (await ann.call<Server>('POST', path, { name: 'Tickets', url: tools.url, auth: { kind: 'account', ...given } })).body.id;
const tested = async (id: string) => (await ann.call<ToolServerTest>('POST', `${path}/${id}/test`)).body.server;
const begin = <T = ToolSignIn>(id: string) => ann.call<T>('POST', `${path}/${id}/sign-in`);
const end = <T = Server>(id: string, given: ToolSignInEnd, who = ann) => who.call<T>('PUT', `${path}/${id}/sign-in`, given);
const reasonOf = ({ status, body }: { status: number; body: ErrorBody }) => [status, body.code, body.details?.reason];

async function signIn(id: string): Promise<Server> {
  const { body } = await begin(id);
  return (await end(id, signInReturn(gate.approve(body.url).search)?.end as ToolSignInEnd)).body;
}

test('G3.28 a person signs in to a tool server in a browser: once for each sign-in, and the tokens are encrypted, never returned, and bound to its host', async () => {
  const id = await add({ scope: 'tickets' });
  expect((await tested(id)).problem).toMatchObject({ reason: 'sign_in' });
  expect(tools.headers).toEqual([]);
  const { status, body } = await begin(id);
  expect([status, body.host]).toEqual([200, new URL(gate.url).host]);
  const asks = Object.fromEntries(new URL(body.url).searchParams);
  expect(asks).toMatchObject({ client_id: 'registered-1', scope: 'tickets', resource: tools.url, code_challenge_method: 'S256' });
  expect(asks.redirect_uri).toMatch(/^http:\/\/localhost:\d+\/test-project$/);
  const back = signInReturn(gate.approve(body.url).search);
  expect(back).toMatchObject({ serverId: id, end: { iss: gate.url } });
  const given = back?.end as ToolSignInEnd;
  const bob = await signUp(server.url);
  expect((await end(id, given, bob)).status).toBe(404);
  expect(reasonOf(await end<ErrorBody>(id, { ...given, state: `${given.state}x` }))).toEqual([422, 'tools_refused', 'sign_in_expired']);
  const ended = await end(id, given);
  expect([ended.status, ended.body]).toMatchObject([200, { hasKey: true, keyLast4: null, auth: { kind: 'account' }, problem: null }]);
  expect(reasonOf(await end<ErrorBody>(id, given))).toEqual([422, 'tools_refused', 'sign_in_expired']);
  expect(await tested(id)).toMatchObject({ problem: null, tools: { pinned: 1 } });
  expect(tools.headers.at(-1)?.authorization).toBe('Bearer access-1');
  const stored = await database.pool.query('SELECT * FROM tool_servers WHERE id = $1', [id]);
  expect(JSON.stringify([ended.body, stored.rows])).not.toMatch(/access-1|refresh-1/);
  const change = async (to: object) => (await ann.call<Server>('PUT', `${path}/${id}`, to)).body;
  expect(await change({ name: 'Ours' })).toMatchObject({ hasKey: true });
  expect(await change({ url: tools.url.replace('127.0.0.1', 'localhost') })).toMatchObject({ hasKey: false });
});

test('G3.28 a token that is withdrawn is replaced once, however many calls need it; a grant that has ended asks for another sign-in', async () => {
  const id = await add();
  await signIn(id);
  expect((await tested(id)).problem).toBeNull();
  withdrawn = 'access-1';
  const all = await Promise.all([tested(id), tested(id), tested(id)]);
  expect(all.map(({ problem }) => problem)).toEqual([null, null, null]);
  const refreshed = () => gate.asked.filter(({ fields }) => fields.grant_type === 'refresh_token');
  expect(refreshed().map(({ fields }) => fields.refresh_token)).toEqual(['refresh-1']);
  expect(refreshed()[0]?.fields).toMatchObject({ client_id: 'registered-1', resource: tools.url });
  withdrawn = 'access-2';
  gate.endGrants();
  expect(await tested(id)).toMatchObject({ problem: { reason: 'sign_in' }, hasKey: false });
});

test('G3.28 a client id of the person is used as it is, and a sign-in that begins again ends the earlier one', async () => {
  const id = await add({ clientId: 'ours' });
  const first = signInReturn(gate.approve((await begin(id)).body.url).search)?.end as ToolSignInEnd;
  expect((await signIn(id)).hasKey).toBe(true);
  expect(reasonOf(await end<ErrorBody>(id, first))).toEqual([422, 'tools_refused', 'sign_in_expired']);
  expect(gate.asked.filter(({ path: one }) => one === '/register')).toEqual([]);
  expect(gate.asked.at(-1)?.fields).toMatchObject({ client_id: 'ours', grant_type: 'authorization_code' });
});

/** A secret with characters that forms and headers encode. */
const secret = 'S3cret:+/%&=end';
const tokenUrl = () => `${gate.url}/token`;
const methods = (...known: string[]) => Object.assign(gate.metadata, { token_endpoint_auth_methods_supported: known });
const basic = `Basic ${Buffer.from(`ours:${encodeURIComponent(secret)}`).toString('base64')}`;
const atToken = () => gate.asked.filter(({ path: one }) => one === '/token');

test.each([
  ['client_secret_basic', basic, undefined],
  ['client_secret_post', undefined, secret],
])(
  'G3.28 a client with a secret proves itself by %s at the sign-in and at each refresh; the secret is encrypted and never returned',
  async (method, authorization, field) => {
    methods(method);
    gate.secrets.set('ours', secret);
    const id = await add({ clientId: 'ours', secret, tokenUrl: tokenUrl() });
    const shown = await signIn(id);
    expect(shown).toMatchObject({
      hasKey: true,
      keyLast4: null,
      auth: { kind: 'account', clientId: 'ours', scope: '', tokenUrl: tokenUrl() },
    });
    withdrawn = 'access-1';
    expect(await tested(id)).toMatchObject({ problem: null, hasKey: true });
    expect(atToken().map((one) => [one.fields.grant_type, one.authorization, one.fields.client_secret])).toEqual([
      ['authorization_code', authorization, field],
      ['refresh_token', authorization, field],
    ]);
    const elsewhere = [gate.asked.filter(({ path: one }) => one !== '/token'), tools.headers, (await ann.call('GET', path)).body];
    const stored = await database.pool.query('SELECT * FROM tool_servers WHERE id = $1', [id]);
    expect(JSON.stringify([elsewhere, shown, stored.rows])).not.toMatch(/S3cret/);
  },
);

test('G3.28 a secret goes only to the address that it was given for: a tool server that names another authorization server gets no page and no secret', async () => {
  const trusted = await startAuthorizationServer();
  const id = await add({ clientId: 'ours', secret, tokenUrl: `${trusted.url}/token` });
  const refused = await begin<ErrorBody>(id);
  expect([...reasonOf(refused), refused.body.message]).toEqual([
    ...[422, 'tools_refused', 'sign_in_failed'],
    `The sign-in failed. The secret is for another token address than the one that the sign-in server names. It was not sent. (${tokenUrl()})`,
  ]);
  // The address of tokens alone is another one.
  Object.assign(gate.metadata, { token_endpoint: `${gate.url}/other` });
  const change = (auth: object) =>
    ann.call<Server & ErrorBody>('PUT', `${path}/${id}`, { auth: { kind: 'account', clientId: 'ours', ...auth } });
  expect(reasonOf(await change({ tokenUrl: tokenUrl() }))).toEqual([422, 'tools_refused', 'key_missing']);
  expect((await change({ tokenUrl: tokenUrl(), secret })).status).toBe(200);
  expect(reasonOf(await begin<ErrorBody>(id))).toEqual([422, 'tools_refused', 'sign_in_failed']);
  expect([...gate.asked, ...trusted.asked]).toEqual([]);
  await trusted.close();
});

test('G3.28 a client secret is kept while client and address stay the same, and is removed when one of the two changes', async () => {
  const change = (id: string, auth: object) => ann.call<Server & ErrorBody>('PUT', `${path}/${id}`, { auth: { kind: 'account', ...auth } });
  const id = await add({ clientId: 'ours', secret, tokenUrl: tokenUrl() });
  expect((await change(id, { clientId: 'ours', scope: 'more', tokenUrl: tokenUrl() })).status).toBe(200);
  expect(reasonOf(await change(id, { clientId: 'other', tokenUrl: tokenUrl() }))).toEqual([422, 'tools_refused', 'key_missing']);
  expect(reasonOf(await change(id, { clientId: '', secret, tokenUrl: tokenUrl() }))).toEqual([422, 'tools_refused', 'client_missing']);
  expect(reasonOf(await change(id, { clientId: 'ours', secret }))).toEqual([422, 'tools_refused', 'token_address']);
  expect(reasonOf(await change(id, { clientId: 'ours', secret, tokenUrl: 'http://169.254.169.254/' }))).toEqual([
    ...[422, 'tools_refused', 'token_host'],
  ]);
  expect((await change(id, { clientId: 'ours' })).body.auth).toEqual({ kind: 'account', clientId: 'ours', scope: '' });
  const { rows } = await database.pool.query('SELECT secret_sealed FROM tool_servers WHERE id = $1', [id]);
  expect(rows).toEqual([{ secret_sealed: null }]);
});

test('G3.28 a client whose secret is refused is told so, without the secret; the sign-in stays, and goes on with the new secret', async () => {
  methods('client_secret_post');
  gate.secrets.set('ours', secret);
  const client = { clientId: 'ours', tokenUrl: tokenUrl() };
  const id = await add({ ...client, secret: 'S3cret-of-before' });
  const { body } = await begin(id);
  const given = signInReturn(gate.approve(body.url).search)?.end as ToolSignInEnd;
  const refused = await end<ErrorBody>(id, given);
  expect(refused.body.message).toBe('The sign-in failed. The sign-in server does not accept this client. Check its ID and its secret.');
  const change = (to: string) => ann.call('PUT', `${path}/${id}`, { auth: { kind: 'account', ...client, secret: to } });
  await change(secret);
  expect((await signIn(id)).hasKey).toBe(true);
  gate.secrets.set('ours', 'S3cret-rotated');
  withdrawn = 'access-1';
  expect(await tested(id)).toMatchObject({ problem: { reason: 'client_refused' }, hasKey: true });
  await change('S3cret-rotated');
  expect(await tested(id)).toMatchObject({ problem: null, hasKey: true });
});

test('G3.28 a secret that a registration has brought proves the client at its server, and is stored encrypted', async () => {
  methods('client_secret_basic', 'client_secret_post');
  Object.assign(gate.registered, { client_secret: 'S3cret-registered', token_endpoint_auth_method: 'client_secret_basic' });
  gate.secrets.set('registered-1', 'S3cret-registered');
  const id = await add();
  const shown = await signIn(id);
  withdrawn = 'access-1';
  expect(await tested(id)).toMatchObject({ problem: null });
  expect(gate.asked[0]?.fields).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic' });
  expect(atToken().map(({ fields }) => fields.grant_type)).toEqual(['authorization_code', 'refresh_token']);
  const stored = await database.pool.query('SELECT * FROM tool_servers WHERE id = $1', [id]);
  expect(JSON.stringify([shown, stored.rows])).not.toMatch(/S3cret/);
});

test('G3.28 a token that is withdrawn during a session is replaced there: a server that asks for it with the calls alone is reached', async () => {
  const id = await add();
  await signIn(id);
  tools.lie(({ method, headers, response }) => {
    if (method !== 'tools/list' || headers.authorization === 'Bearer access-2') return false;
    response.writeHead(401).end();
    return true;
  });
  expect(await tested(id)).toMatchObject({ problem: null, tools: { pinned: 1 } });
  // One that refuses each token is told after one repetition.
  tools.lie(({ method, response }) => {
    if (method === 'tools/list') response.writeHead(401).end();
    return method === 'tools/list';
  });
  expect(await tested(id)).toMatchObject({ problem: { reason: 'unauthorized' } });
  expect(atToken().length).toBe(3);
});

const named =
  (...servers: string[]) =>
  () =>
    tools.documents.set('/.well-known/oauth-protected-resource/mcp', { resource: tools.url, authorization_servers: servers });
const lies: [string, () => void, hasSecret?: boolean][] = [
  ['at a link-local address', named('http://169.254.169.254/')],
  [
    'for another resource',
    () =>
      tools.documents.set('/.well-known/oauth-protected-resource/mcp', {
        resource: 'https://bank.example/',
        authorization_servers: [gate.url],
      }),
  ],
  ['with a page that is a script', () => Object.assign(gate.metadata, { authorization_endpoint: 'javascript:alert(1)' })],
  ['that calls itself otherwise', () => Object.assign(gate.metadata, { issuer: 'https://login.example.com' })],
  ['with a document of a megabyte', () => Object.assign(gate.metadata, { more: 'x'.repeat(1024 * 1024) })],
  ['that registers no clients', () => delete gate.metadata.registration_endpoint],
  ['that takes no secret in a known way', () => methods('private_key_jwt'), true],
  ['that does not know PKCE', () => Object.assign(gate.metadata, { code_challenge_methods_supported: ['plain'] })],
];

test.each(lies)(
  'G3.32 an authorization server %s is refused with the reason, and no person is sent there',
  async (_lie, lie, hasSecret = false) => {
    const id = await add(hasSecret ? { clientId: 'ours', secret, tokenUrl: tokenUrl() } : {});
    lie();
    const refused = await begin<ErrorBody>(id);
    expect(reasonOf(refused)).toEqual([422, 'tools_refused', 'sign_in_failed']);
    expect(refused.body.message).toMatch(/^The sign-in failed\. .+/);
  },
);

test('G3.28 a server without a sign-in has none to begin, and another issuer cannot end one', async () => {
  const plain = (await ann.call<Server>('POST', path, { name: 'Plain', url: tools.url })).body.id;
  expect(reasonOf(await begin<ErrorBody>(plain))).toEqual([422, 'tools_refused', 'no_account']);
  const id = await add();
  const given = signInReturn(gate.approve((await begin(id)).body.url).search)?.end as ToolSignInEnd;
  expect(reasonOf(await end<ErrorBody>(id, { ...given, iss: 'https://evil.example' }))).toEqual([422, 'tools_refused', 'sign_in_failed']);
  expect(gate.asked.filter(({ path: one }) => one === '/token')).toEqual([]);
});

test('G3.28 a tool server’s response to a call without a token has priority for the description’s address and the scope', async () => {
  const elsewhere = new URL('/about/tickets', tools.url).href;
  tools.documents.delete('/.well-known/oauth-protected-resource/mcp');
  tools.documents.set('/about/tickets', { resource: tools.url, authorization_servers: [gate.url], scopes_supported: ['everything'] });
  Object.assign(gate.metadata, { scopes_supported: ['tickets', 'offline_access'] });
  tools.lie(({ response }) =>
    Boolean(response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${elsewhere}", scope="tickets"` }).end()),
  );
  const { status, body } = await begin(await add());
  expect(status).toBe(200);
  expect(new URL(body.url).origin).toBe(new URL(gate.url).origin);
  expect(new URL(body.url).searchParams.get('scope')).toBe('tickets offline_access');
  const own = await begin(await add({ scope: 'own' }));
  expect(new URL(own.body.url).searchParams.get('scope')).toBe('own offline_access');
});

test('G3.28 a page or a redirect in the place of a document means that the next place is tried', async () => {
  tools.documents.set('/.well-known/oauth-protected-resource', { resource: tools.url, authorization_servers: [gate.url] });
  const places: [string, { status: number; headers: Record<string, string>; body: string }][] = [
    ['/.well-known/oauth-protected-resource/mcp', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }],
    ['/.well-known/oauth-protected-resource/mcp', { status: 302, headers: { location: '/login' }, body: '' }],
  ];
  for (const [place, answer] of places) {
    tools.documents.delete(place);
    tools.pages.set(place, answer);
    const { status, body } = await begin(await add({ scope: 'tickets' }));
    expect([status, new URL(body.url).origin]).toEqual([200, new URL(gate.url).origin]);
  }
  tools.pages.clear();
});

test('G3.28 where a sign-in server registers no clients, the error says that a client id can be entered', async () => {
  gate.metadata.registration_endpoint = undefined;
  const { status, body } = await begin<ErrorBody>(await add());
  expect([status, body.code, body.message]).toEqual([422, 'tools_refused', expect.stringContaining('enter the client ID')]);
  expect((await begin(await add({ clientId: 'ours' }))).status).toBe(200);
});
