import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Need } from '../../contract/needs.ts';
import { growsAccount, type Route } from '../../contract/route.ts';
import { type RouteName, routes } from '../../contract/routes.ts';
import { inTurnOf } from '../platform/database/account-turns.ts';
import type { OwnerId } from '../platform/owner-id.ts';
import { ApiError } from './api-error.ts';
import { attachment } from './attachment.ts';
import { callerOf, whileInUse } from './bodies/body-admission.ts';
import { jsonText } from './bodies/json-text.ts';
import { type Call, type Download, type Handlers, JsonText, type Member, ofOwnAccount, type Paged, type SignedIn } from './call.ts';
import { checkParameterNames } from './check-parameter-names.ts';
import { clientSignal } from './client-signal.ts';
import type { Idempotency, KeepStored } from './idempotency.ts';
import { compileKeyFilter, type KeyFilter } from './key-filter.ts';
import { languageOf } from './language.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { ReadAdmission } from './limits/read-admission.ts';
import type { RequestLimits } from './limits/request-limits.ts';
import { requireRole } from './require-need.ts';
import { validate } from './validate.ts';

/** The number of wrong fields of an answer that are logged. */
const maxProblems = 10;

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in caller; null until the token has been checked. */
    signedIn: SignedIn | null;
  }
}

/** The keys by which programs call for an account. */
export type ProgramKeys = {
  /** Returns the account behind a key whose scopes allow a call with this need; `need` is undefined for a call of the staff. */
  authenticate: (call: {
    key: string;
    need: Need | undefined;
    address: string;
    count: (userId: string) => Promise<void>;
  }) => Promise<SignedIn>;
  /** Throws `key_not_allowed` when a call reaches beyond the only project of its key, or beyond its budget. */
  checkReach: (user: SignedIn, name: RouteName, parts: { params: unknown; query: unknown; body: unknown }) => Promise<void>;
};

type Mounting = {
  handlers: Handlers;
  /**
   * Returns the account behind an access token. `count` is called with the account of a genuine token before its session is looked up. Throws
   * `unauthorized` or `token_expired`, `account_leaving` for an account that is being deleted unless the route is open to it, and what `count` throws.
   */
  authenticate: (
    accessToken: string,
    isLocal: boolean,
    count: (userId: string) => Promise<void>,
    isOpenToLeaving: boolean,
  ) => Promise<SignedIn>;
  keys: ProgramKeys;
  isLocal: (request: FastifyRequest) => boolean;
  idempotency: Pick<Idempotency, 'once'>;
  rateLimits: Pick<RateLimits, 'count'>;
  requestLimits: RequestLimits;
  /** Keeps accounts below their limits of storage. */
  storage: {
    storing: <T>(write: { userId: OwnerId; bytes: number; grade: 'data' | 'edits' }, work: () => Promise<T>) => Promise<T>;
    freed: (userId: OwnerId) => void;
  };
  /** Answers a call with 500 when the handler's result does not match the response schema: for development and tests. */
  checksAnswers: boolean;
};

/** Mounts every route of the contract below `/api`, with authentication, validation and idempotency from the route's description. */
export function mountRoutes(app: FastifyInstance, mounting: Mounting): void {
  app.decorateRequest('signedIn', null);
  const reads = new ReadAdmission();
  for (const name of Object.keys(routes) as RouteName[]) mountRoute(app, name, routes[name], { ...mounting, reads });
}

function mountRoute(app: FastifyInstance, name: RouteName, route: Route, mounting: Mounting & { reads: ReadAdmission }): void {
  const handler = mounting.handlers[name] as unknown as (call: Call<RouteName>) => Promise<unknown>;
  const isRead = route.method === 'GET' && !route.events;
  const shape: Shape = { route, known: compileKeyFilter(route.response), isChecked: mounting.checksAnswers };
  app.route({
    method: route.method,
    url: `/api${route.path.replace(/\{(\w+)\}/g, ':$1')}`,
    ...(route.bodyLimits && {
      bodyLimit: route.bodyLimits.bytes,
      config: { body: route.bodyLimits, ...(route.takes && { takesBytes: true as const }), ...(route.form && { form: route.form }) },
    }),
    // Checked before the body is read, since a body may have 16 MiB.
    onRequest: async (request) => {
      await mounting.requestLimits.countAddress(request.address);
      if (route.auth === 'public') return;
      const { countAccount } = mounting.requestLimits;
      const isOpenToLeaving = route.isOpenToLeaving === true;
      const token = bearerOf(request);
      request.signedIn = isKey(token)
        ? await mounting.keys.authenticate({ key: token, need: route.needs, address: request.address, count: countAccount })
        : await mounting.authenticate(token, mounting.isLocal(request), countAccount, isOpenToLeaving);
      if (route.auth === 'staff' && !request.signedIn.isStaff) throw new ApiError('forbidden');
    },
    handler: (request, reply) => inTurnOf(callerOf(request).id, () => whileInUse(request.bodyLease, () => answer(request, reply))),
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const call = await readCall(route, request, reply, mounting.isLocal(request));
    if (request.signedIn?.key) await mounting.keys.checkReach(request.signedIn, name, call);
    if (call.user !== null) requireRole((call.user as Member).role, route.needs);
    // The holder of a signed link has no account: its reads take turns by the link.
    const reader = (call.user as Member | null)?.id ?? (route.params ? JSON.stringify(call.params) : null);
    if (!isRead || reader === null) await respond(call, request, reply);
    else {
      const read = () => respond(call, request, reply);
      await inTurnOf(
        callerOf(request).id,
        () => mounting.reads.run({ reader, route: name, waitsElsewhere: route.produces !== undefined, signal: call.signal }, read),
        call.signal,
      );
    }
    return reply;
  }

  /** Does what the call asks for and sends the answer. Returns its length, in characters. */
  async function respond(call: Call<RouteName>, request: FastifyRequest, reply: FastifyReply): Promise<number> {
    const { signedIn } = request;
    const work = async () => settle(route, reply, await stored(request, call, () => handler(call)));
    const described = [route.method, request.url, route.takes ? null : (request.body ?? null)];
    const once = () =>
      signedIn === null || call.idempotencyKey === null
        ? work()
        : doOnce(mounting.idempotency, { route, call, userId: signedIn.id, key: call.idempotencyKey, described, work });
    if (!route.limit) return send(shape, reply, await once());
    const account = accountOf(call.body) ?? signedIn?.id ?? null;
    const attempt = { address: request.address, account, cookies: request.headers.cookie };
    if (route.limit === 'question') {
      // A right link is served however many wrong ones came from its address: only a guess counts, and a look costs one read of an index.
      const known = await once().catch(async (error: unknown) => {
        if (isUnknownLink(error)) await mounting.rateLimits.count('question', attempt, call.signal);
        throw error;
      });
      return send(shape, reply, known);
    }
    const charge = await mounting.rateLimits.count(route.limit, attempt, call.signal);
    // A sign-in needs no account to be served in turn. Its writes are one transaction.
    const served = () => (route.limit === 'login' ? inTurnOf(charge.turn, once, call.signal) : once());
    const done = await served();
    await charge.wasRight();
    return send(shape, reply, done);
  }

  /** Counts what a call stores or removes, for the account that owns it. */
  async function stored<T>({ bodyBytes }: FastifyRequest, call: Call<RouteName>, work: () => Promise<T>): Promise<T> {
    const member = call.user as Member | null;
    if (member === null) return work();
    const { storage } = mounting;
    if (growsAccount(route)) {
      const bytes = bodyBytes * (route.copies ?? 1);
      return storage.storing({ userId: member.ownerId, bytes, grade: route.stores === 'edits' ? 'edits' : 'data' }, work);
    }
    const done = await work();
    if (route.method === 'DELETE') storage.freed(member.ownerId);
    return done;
  }
}

/** Whether a call of a signed link has met none: that is a guess. All others know their link. */
function isUnknownLink(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found';
}

type Keyed = {
  route: Route;
  call: Call<RouteName>;
  userId: string;
  key: string;
  /** Identifies the call: a repeated key with another description is refused. */
  described: unknown;
  work: () => Promise<Settled>;
};

async function doOnce(idempotency: Mounting['idempotency'], { route, call, userId, key, described, work }: Keyed): Promise<Settled> {
  let first = false;
  const done = await idempotency.once(userId, key, described, (keep: KeepStored) => {
    first = true;
    call.storeIdempotentResponse = (tx, answer) => keep(tx, { status: route.status, answer });
    return work();
  });
  if (first || route.idempotent !== 'continued') return done;
  call.earlier = done.answer;
  return work();
}

async function readCall(route: Route, request: FastifyRequest, reply: FastifyReply, isLocal: boolean): Promise<Call<RouteName>> {
  const asked = request.headers['accept-language'];
  // A caller that sends no language gets the account's language.
  const language = (asked === undefined && request.signedIn?.language) || languageOf(asked);
  checkParameterNames(route.query, request.query, language);
  return {
    params: await validate(route.params, request.params, language),
    query: await validate(route.query, request.query, language),
    // A request without any content has no content type, and no parser.
    body: await validate(route.body, route.takes ? (request.body ?? new Uint8Array()) : request.body, language),
    user: request.signedIn && ofOwnAccount(request.signedIn),
    language,
    requestId: request.id,
    clientId: headerOf(request, 'x-client-id', 200),
    idempotencyKey: route.idempotent ? headerOf(request, 'idempotency-key', 255) : null,
    storeIdempotentResponse: async () => {},
    earlier: null,
    address: request.address,
    signal: clientSignal(request, reply),
    isLocal,
    reply,
  } as Call<RouteName>;
}

type Settled = { status: number; answer: unknown };

function settle(route: Route, reply: FastifyReply, answer: unknown): Settled {
  // A handler may set another status.
  const status = reply.statusCode === 200 ? route.status : reply.statusCode;
  if (!isPaged(answer)) return { status, answer };
  reply.header('x-total-count', String(answer.total));
  return { status, answer: answer.items };
}

/** The form of a route's answers. */
type Shape = { route: Route; known: KeyFilter; isChecked: boolean };

/** Sends an answer, and returns its length. Only keys that the route's response schema names are sent. */
async function send({ route, known, isChecked }: Shape, reply: FastifyReply, { status, answer }: Settled): Promise<number> {
  reply.status(status).header('cache-control', 'no-store');
  if (route.produces) return sendFile(reply, route.produces, answer as Download);
  if (status === 204 || (route.events && answer instanceof Readable)) return sent(reply, status === 204 ? undefined : answer);
  if (isChecked) checkAnswer(route, answer instanceof JsonText ? JSON.parse(answer.text) : answer);
  if (typeof answer !== 'object' || answer === null || known.entriesOf === null)
    return sent(reply, known.keep ? known.keep(answer) : answer);
  const text = answer instanceof JsonText ? answer.text : await jsonText(answer, known);
  return sent(reply.type('application/json; charset=utf-8'), text);
}

function sent(reply: FastifyReply, payload: unknown): number {
  reply.send(payload);
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}

/** Throws an error that becomes a 500, with the paths of the wrong fields and none of their values. */
function checkAnswer({ method, path, response }: Route, answer: unknown): void {
  const { error } = response.safeParse(answer);
  if (!error) return;
  const problems = error.issues.slice(0, maxProblems).map((issue) => `${issue.path.join('.') || 'the answer'} (${issue.code})`);
  throw new Error(`${method} ${path} answers what its schema does not allow: ${problems.join(', ')}`);
}

/** Sends a file, always as an attachment: text written by agents is never shown as a page of this origin. */
function sendFile(reply: FastifyReply, type: NonNullable<Route['produces']>, { content, fileName }: Download): number {
  const text = typeof content === 'string';
  reply.type(text ? `${type}; charset=utf-8` : type).header('content-disposition', attachment(fileName));
  return sent(reply, content instanceof Uint8Array ? Buffer.from(content) : content);
}

function isPaged(answer: unknown): answer is Paged<unknown> {
  return typeof answer === 'object' && answer !== null && 'paged' in answer && answer.paged === true;
}

function isKey(token: string): boolean {
  return token.startsWith('art_');
}

function bearerOf(request: FastifyRequest): string {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+|art_\w{40})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new ApiError('unauthorized');
  return token;
}

function headerOf(request: FastifyRequest, name: string, longest: number): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, longest) : null;
}

function accountOf(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'email' in body && typeof body.email === 'string' ? body.email : null;
}
