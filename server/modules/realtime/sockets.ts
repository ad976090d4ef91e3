import type { ServerResponse } from 'node:http';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { singleFlight } from '../../../async/single-flight.ts';
import { clientMessage, type ExecutionUpdate, type ServerMessage, since } from '../../../contract/realtime.ts';
import { ApiError } from '../../http/api-error.ts';
import { ofOwnAccount, type SignedIn } from '../../http/call.ts';
import { addressKey } from '../../http/limits/address-key.ts';
import type { OpenConnection, OpenConnections } from '../../http/limits/open-connections.ts';
import type { RequestLimits } from '../../http/limits/request-limits.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { inTurnOf } from '../../platform/database/account-turns.ts';
import { parseSmallJson } from '../../platform/llm/bounded-json.ts';
import type { Runs } from '../executions/index.ts';
import { type AccountSockets, createAccountSockets } from './account-sockets.ts';
import { guardSocket } from './guard-socket.ts';
import { closeCodes, createLiveSocket } from './live-socket.ts';
import { missedUpdates } from './missed-updates.ts';
import { readInTurns } from './read-in-turns.ts';
import { socketLimits } from './socket-limits.ts';
import { createUserFeed, type PipelineUpdate } from './user-feed.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests for a socket are refused on every other route. */
    isSocket?: boolean;
  }
  interface FastifyRequest {
    /** The answer of a request for a socket, which the upgrade leaves unsent. */
    upgradeResponse: ServerResponse | null;
  }
}

type RealtimeDeps = {
  bus: Bus;
  /** Returns the account of an access token. Throws an ApiError for an invalid or expired one. */
  authenticate: (accessToken: string, count?: (userId: string) => Promise<void>) => Promise<SignedIn>;
  /** Returns the account of a ticket and spends it. Throws an ApiError for an invalid or expired one. */
  redeemTicket: (ticket: string) => Promise<SignedIn>;
  /** Whether an access token in the URL also opens a socket. */
  tokensInAddress: boolean;
  /** Whether a page of the request's origin may open a socket. */
  originAllowed: (request: FastifyRequest) => boolean;
  runs: Pick<Runs, 'executions' | 'pipelines'>;
  connections: OpenConnections;
  requestLimits: RequestLimits;
  log: { warn: (about: object, line: string) => void };
};

/** The path of a user's socket. */
export const userSocketPath = '/api/natsws';

/** How long live messages wait for the client's `since` (ms). */
const firstWordMs = 250;

/** `since` may also be JSON in the URL, for clients that send no message after connecting. */
const query = z.object({
  ticket: z.string().min(1).max(200).optional(),
  token: z.string().min(1).max(4_096).optional(),
  since: z
    .string()
    .max(64 * 1024)
    .transform((text) => parseJson(text))
    .pipe(since)
    .optional(),
});
const pipelineParams = z.object({ pipelineId: z.uuid() });

/** Serves two sockets: all events of a user, and those of one pipeline. Both need a ticket (or a token) and an allowed origin. */
export async function registerRealtime(app: FastifyInstance, deps: RealtimeDeps): Promise<void> {
  const { maxMessageBytes: maxPayload, maxFragments, maxPendingAutoPongs, headersMs } = socketLimits;
  app.server.headersTimeout = headersMs;
  const options = { maxPayload, maxFragments, maxPendingAutoPongs };
  await app.register(websocket, { options, preClose: sendAway });
  app.decorateRequest('upgradeResponse', null);
  app.addHook('onRequest', async (request, reply) => {
    if (request.ws) request.upgradeResponse = reply.raw;
    if (request.ws && !request.routeOptions.config.isSocket) throw new ApiError('not_found');
  });
  const accounts = createAccountSockets();
  const identify = async ({ ticket, token }: { ticket?: unknown; token?: unknown }): Promise<SignedIn> => {
    if (typeof ticket === 'string') return deps.redeemTicket(ticket);
    if (typeof token === 'string' && deps.tokensInAddress) return deps.authenticate(token);
    throw new ApiError('unauthorized');
  };
  app.register(async (scope) => {
    scope.addHook('preValidation', async (request) => {
      if (!deps.originAllowed(request)) throw new ApiError('forbidden');
      await deps.requestLimits.countAddress(request.address);
      // The account of a ticket is known once it is spent.
      const user = await inTurnOf(addressKey(request.address), () => identify(request.query as { ticket?: unknown; token?: unknown }));
      request.signedIn = user;
      await deps.requestLimits.countAccount(user.id);
      deps.connections.checkLimits(user);
      if (!query.safeParse(request.query).success) throw new ApiError('bad_request');
      const { pipelineId } = request.params as { pipelineId?: string };
      if (pipelineId === undefined) return;
      if (!pipelineParams.safeParse(request.params).success) throw new ApiError('not_found');
      await inTurnOf(user.id, () => deps.runs.pipelines.get(ofOwnAccount(user).ownerId, pipelineId));
    });
    scope.get(userSocketPath, { websocket: true, config: { isSocket: true } }, (socket, request) => {
      const live = follow(socket, request, { ...deps, accounts }, null);
      live.send({ type: 'connected', userId: live.userId } satisfies ServerMessage);
    });
    scope.get<{ Params: { pipelineId: string } }>(
      '/api/pipelinews/:pipelineId',
      { websocket: true, config: { isSocket: true } },
      (socket, request) => {
        follow(socket, request, { ...deps, accounts }, request.params.pipelineId.toLowerCase());
      },
    );
  });
}

/** Closes every socket when the server ends, so clients connect to another node. Connections that do not answer are cut. */
function sendAway(this: FastifyInstance, done: () => void): void {
  const { clients } = this.websocketServer;
  for (const client of clients) client.close(closeCodes.goingAway, 'going away');
  const cut = setTimeout(() => {
    for (const client of clients) client.terminate();
  }, socketLimits.goodbyeMs);
  cut.unref();
  done();
}

/** Sends a socket the messages of its user, or those of one pipeline, until it closes or its session ends. */
function follow(socket: WebSocket, request: FastifyRequest, deps: RealtimeDeps & { accounts: AccountSockets }, pipelineId: string | null) {
  const user = signedInBy(request);
  releaseRequest(socket, request, deps.log);
  const live = createLiveSocket(socket, request.raw.socket);
  const account = deps.accounts.join(user.id, request.address);
  const feed = createUserFeed({
    send: (message) => {
      if (pipelineId === null) live.send(message);
      else if (message.type === 'pipeline_update') live.send(executionUpdateOf(message));
    },
    whenDrained: live.whenDrained,
    missed: (since) =>
      missedUpdates(
        { executions: deps.runs.executions, userId: ofOwnAccount(user).ownerId, pipelineId, inTurn: account.readInTurn },
        since,
      ),
    onFailed: (error) => {
      deps.log.warn({ err: error }, 'A socket cannot be told what it missed; its client comes again.');
      socket.close(closeCodes.tryLater, 'try later');
    },
  });
  const connection: OpenConnection = {
    userId: user.id,
    sessionId: user.sessionId,
    goodUntil: user.tokenGoodUntil,
    heartbeat: live.heartbeat,
    end: () => socket.close(closeCodes.sessionEnded, 'session ended'),
  };
  const forget = deps.connections.add(connection);
  const acceptNewestToken = singleFlight(acceptToken, { rerun: true });
  const unsubscribe = deps.bus.subscribe(user.id, (message) => {
    if (message.type === 'session_ended') deps.connections.endSession(message.sessionId);
    else if (message.type === 'texts_wanted') return;
    else if (pipelineId === null || (message.type === 'pipeline_update' && message.pipelineId === pipelineId)) feed.offer(message);
  });
  // Texts that are streaming now are sent from their beginning.
  if (pipelineId === null) deps.bus.publish(user.id, { type: 'texts_wanted' });
  const asked = query.parse(request.query).since;
  const firstWord = setTimeout(feed.begin, firstWordMs);
  if (asked) feed.resume(asked);
  socket.on('close', () => {
    clearTimeout(firstWord);
    feed.end();
    unsubscribe();
    forget();
    account.leave();
  });
  const read = (text: string) => {
    // Ignores messages that arrived together with one that closed the connection.
    if (socket.readyState !== socket.OPEN) return;
    const message = clientMessage.safeParse(parseJson(text)).data;
    if (message?.type === 'since') feed.resume(message.since);
    else if (message?.type === 'texts') deps.bus.publish(user.id, { type: 'texts_wanted' });
    else if (message?.type === 'token') void acceptNewestToken(message.accessToken);
    else socket.close(closeCodes.badMessage, 'not understood');
  };
  guardSocket(socket, request.raw.socket, account.take, (text) => readInTurns(text.length, () => read(text)));

  /** Accepts a newer token of the same user. While it cannot be checked, the older one stays valid. */
  async function acceptToken(accessToken: string): Promise<void> {
    try {
      const signedIn = await deps.authenticate(accessToken);
      if (signedIn.id !== user.id) connection.end();
      else deps.connections.replaceToken(connection, { sessionId: signedIn.sessionId, goodUntil: signedIn.tokenGoodUntil });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) connection.end();
    }
  }

  return { send: live.send, userId: user.id };
}

/**
 * Lets an open socket no longer keep its request with all headers, a third of its memory: neither through the answer, nor through the
 * plugin's listener for errors.
 */
function releaseRequest(socket: WebSocket, { upgradeResponse, raw }: FastifyRequest, log: RealtimeDeps['log']): void {
  upgradeResponse?.detachSocket(raw.socket);
  socket.removeAllListeners('error');
  socket.on('error', (error) => {
    log.warn({ err: error }, 'A socket failed');
    socket.terminate();
  });
}

function signedInBy({ signedIn }: FastifyRequest): SignedIn {
  if (!signedIn) throw new ApiError('unauthorized');
  return signedIn;
}

function parseJson(text: string): unknown {
  return parseSmallJson(text, socketLimits.json);
}

const executionUpdates = new WeakMap<PipelineUpdate, ExecutionUpdate>();

/** Converts an event for the sockets of its pipeline. Every socket gets the same object, so it is serialised once. */
function executionUpdateOf(message: PipelineUpdate): ExecutionUpdate {
  const known = executionUpdates.get(message);
  if (known) return known;
  const { pipelineId, executionId, seq, event } = message;
  const { status, progress, step, text, error, type } = event;
  const result = type === 'execution.completed' ? text : null;
  const update: ExecutionUpdate = { type: 'execution_update', pipelineId, executionId, seq, status, progress, step, result, error };
  executionUpdates.set(message, update);
  return update;
}
