import { beforeEach, expect, test } from 'vitest';
import { type SocketTicket, socketTicketSeconds } from '../../../contract/account.ts';
import { AuthService, makePasswordHashing } from '../../../server/modules/auth/index.ts';
import { secretKeyFrom } from '../../../server/platform/secrets/secret-key.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpDatabase, setUpServer } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
const server = setUpServer({ ARTEL_SOCKET_TOKENS: 'off' });
let clock: number;

beforeEach(() => {
  clock = Date.parse('2026-11-20T12:00:00Z');
});

/** The accounts of one node; each call makes another node on the same database. */
async function node(): Promise<AuthService> {
  return new AuthService({
    db: database.db,
    secret: secretKeyFrom('a secret that is only for these tests'),
    passwords: await makePasswordHashing(),
    rules: { registration: 'open', staffEmails: [], firstAccountIsStaff: false },
    seed: async () => {},
    onSessionEnded: () => {},
    mailer: { send: async () => {} },
    address: () => '',
    onMailFailed: () => {},
    places: { placeOf: (address) => address },
    countPasswordAttempt: async () => ({ wasRight: async () => {} }),
    countVerification: async () => {},
    isAlone: false,
    now: () => clock,
  });
}

let count = 0;
async function signedInAt(auth: AuthService) {
  const session = await auth.register({ email: `ticket-${++count}@example.com`, password: 'a quiet long phrase', name: 'Ann' }, 'en');
  return { session, user: await auth.sessions.authenticate(session.accessToken) };
}

const ticketOf = async (by: RunAccount) => (await by.call<SocketTicket>('POST', '/auth/socket-ticket')).body.ticket;
const refused = { code: 'unauthorized' };

test('W7.08 a ticket is redeemed once, by the node that is asked first', async () => {
  const [one, other] = [await node(), await node()];
  const { user } = await signedInAt(one);
  const { ticket } = await one.sessions.issueTicket(user);
  expect(await other.sessions.redeemTicket(ticket)).toMatchObject({
    id: user.id,
    sessionId: user.sessionId,
    tokenGoodUntil: user.tokenGoodUntil,
  });
  await expect(one.sessions.redeemTicket(ticket)).rejects.toMatchObject(refused);

  const second = await one.sessions.issueTicket(user);
  const uses = await Promise.allSettled([one, other, one, other].map((auth) => auth.sessions.redeemTicket(second.ticket)));
  expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('W7.08 a ticket works for 30 seconds, and is removed afterwards', async () => {
  const auth = await node();
  const { user } = await signedInAt(auth);
  const { ticket, expiresInSeconds } = await auth.sessions.issueTicket(user);
  expect(expiresInSeconds).toBe(30);
  const late = await auth.sessions.issueTicket(user);
  clock += socketTicketSeconds * 1_000 - 1;
  await auth.sessions.redeemTicket(ticket);
  clock += 1;
  await expect(auth.sessions.redeemTicket(late.ticket)).rejects.toMatchObject(refused);
  clock += 1;
  await auth.removeExpired();
  expect((await database.pool.query('SELECT hash FROM socket_tickets')).rows).toEqual([]);
});

test('W7.08 a ticket opens nothing once its session has ended or its access token has run out', async () => {
  const auth = await node();
  const { session, user } = await signedInAt(auth);
  const { ticket } = await auth.sessions.issueTicket(user);
  await auth.sessions.logout(session.refreshToken);
  await expect(auth.sessions.redeemTicket(ticket)).rejects.toMatchObject(refused);

  const another = await signedInAt(auth);
  clock = another.user.tokenGoodUntil - 1_000;
  const last = await auth.sessions.issueTicket(another.user);
  clock += 1_000;
  await expect(auth.sessions.redeemTicket(last.ticket)).rejects.toMatchObject(refused);
});

test('W7.08 only the hash of a ticket is stored', async () => {
  const auth = await node();
  const { ticket } = await auth.sessions.issueTicket((await signedInAt(auth)).user);
  expect(JSON.stringify((await database.pool.query('SELECT * FROM socket_tickets')).rows)).not.toContain(ticket);
});

test('W7.08 a ticket opens either socket once; with ARTEL_SOCKET_TOKENS=off an access token opens none', async () => {
  const ann = await signUp(server.url);
  const ticket = await ticketOf(ann);
  const socket = await ann.socket('/natsws', { ticket });
  expect(await socket.until(({ type }) => type === 'connected')).toEqual({ type: 'connected', userId: ann.userId });
  await socket.close();
  await expect(ann.socket('/natsws', { ticket })).rejects.toThrow('refused with 401');

  const pipeline = await ann.pipeline('assistant');
  const updates = await ann.socket(`/pipelinews/${pipeline.id}`, { ticket: await ticketOf(ann) });
  await updates.close();
  for (const path of ['/natsws', `/pipelinews/${pipeline.id}`]) {
    await expect(ann.socket(path)).rejects.toThrow('refused with 401');
    await expect(ann.socket(path, { ticket: ann.accessToken })).rejects.toThrow('refused with 401');
  }
});

test('W7.08 a ticket needs a session, and a page of another origin gets no socket by it', async () => {
  const ann = await signUp(server.url);
  expect((await ann.with('not.a.token').call('POST', '/auth/socket-ticket')).status).toBe(401);
  const ticket = await ticketOf(ann);
  await expect(ann.socket('/natsws', { ticket, origin: 'https://elsewhere.example' })).rejects.toThrow('refused with 403');
  const socket = await ann.socket('/natsws', { ticket });
  await ann.call('POST', '/auth/logout', { refreshToken: ann.refreshToken });
  expect(await socket.closed).toBe(4401);
});
