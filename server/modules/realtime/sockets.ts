import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientMessage, type ExecutionUpdate, type ServerMessage } from '../../../contract/realtime.ts';
import type { SignedIn } from '../../http/call.ts';
import { Fault } from '../../http/fault.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Runs } from '../executions/index.ts';
import { closeCodes, createLiveSocket } from './live-socket.ts';
import { readMissed } from './read-missed.ts';
import type { SocketSessions } from './socket-sessions.ts';
import { createUserFeed, type PipelineUpdate } from './user-feed.ts';

export type RealtimeDeps = {
  bus: Bus;
  /** The account behind an access token. Throws a Fault for one that is not, or no longer, good. */
  authenticate: (accessToken: string) => Promise<SignedIn>;
  /** Whether a page of the request's origin may open a socket. */
  originAllowed: (request: FastifyRequest) => boolean;
  runs: Pick<Runs, 'executions' | 'pipelines'>;
  sessions: SocketSessions;
  log: { warn: (about: object, line: string) => void };
};

/** Largest message of a client (bytes). */
const maxPayload = 256 * 1024;
/** How long live messages wait for a client to say what it has (ms). */
const firstWordMs = 250;
/** How long a client's goodbye is waited for when the server ends (ms). */
const goodbyeMs = 1_000;
/** Events of one execution that are read by one query when a client has missed some. */
const readAtOnce = 1_000;

const query = z.object({ token: z.string().min(1).max(4_096) });
const pipelineParams = z.object({ pipelineId: z.uuid() });

/** The two sockets: everything of a user, and one pipeline's executions. Both need a token and an allowed origin. */
export async function registerRealtime(app: FastifyInstance, deps: RealtimeDeps): Promise<void> {
  await app.register(websocket, { options: { maxPayload }, preClose: sendAway });
  app.register(async (scope) => {
    scope.addHook('preValidation', async (request) => {
      if (!deps.originAllowed(request)) throw new Fault('forbidden');
      const parsed = query.safeParse(request.query);
      if (!parsed.success) throw new Fault('unauthorized');
      request.signedIn = await deps.authenticate(parsed.data.token);
      const { pipelineId } = request.params as { pipelineId?: string };
      if (pipelineId === undefined) return;
      if (!pipelineParams.safeParse(request.params).success) throw new Fault('not_found');
      await deps.runs.pipelines.get(request.signedIn.id, pipelineId);
    });
    scope.get('/api/natsws', { websocket: true }, (socket, request) => followUser(socket, request, deps));
    scope.get<{ Params: { pipelineId: string } }>('/api/pipelinews/:pipelineId', { websocket: true }, (socket, request) =>
      followPipeline(socket, request, request.params.pipelineId.toLowerCase(), deps),
    );
  });
}

/** Closes every socket when the server ends, so that clients come again to whoever serves then; those that do not answer are cut. */
function sendAway(this: FastifyInstance, done: () => void): void {
  const { clients } = this.websocketServer;
  for (const client of clients) client.close(closeCodes.goingAway, 'going away');
  const cut = setTimeout(() => {
    for (const client of clients) client.terminate();
  }, goodbyeMs);
  cut.unref();
  done();
}

function followUser(socket: WebSocket, request: FastifyRequest, deps: RealtimeDeps): void {
  const session = sessionOf(request, deps);
  const live = createLiveSocket(socket, session.alive);
  deps.sessions.add(session.user.sessionId, socket);
  const feed = createUserFeed({
    send: live.send,
    missed: (executionId, since) => missedUpdates(deps, session.user.id, executionId, since),
    onError: (error) => {
      deps.log.warn({ err: error }, 'Missed events could not be read for a socket.');
      socket.close(closeCodes.tryLater, 'try later');
    },
  });
  const firstWord = setTimeout(feed.begin, firstWordMs);
  const unsubscribe = deps.bus.subscribe(session.user.id, feed.offer);
  socket.on('close', () => {
    clearTimeout(firstWord);
    unsubscribe();
  });
  socket.on('message', (data) => {
    const message = parse(String(data));
    if (message?.type === 'since') feed.resume(message.since);
    else if (message?.type === 'token')
      void session.renew(message.accessToken).then((good) => good || socket.close(closeCodes.sessionEnded, 'session ended'));
    else socket.close(closeCodes.badMessage, 'not understood');
  });
  live.send({ type: 'connected', userId: session.user.id } satisfies ServerMessage);
}

function followPipeline(socket: WebSocket, request: FastifyRequest, pipelineId: string, deps: RealtimeDeps): void {
  const session = sessionOf(request, deps);
  const live = createLiveSocket(socket, session.alive);
  deps.sessions.add(session.user.sessionId, socket);
  const unsubscribe = deps.bus.subscribe(session.user.id, (message) => {
    if (message.type === 'pipeline_update' && message.pipelineId === pipelineId) live.send(toExecutionUpdate(message));
  });
  socket.on('close', unsubscribe);
  socket.on('message', (data) => {
    const message = parse(String(data));
    if (message?.type === 'token')
      void session.renew(message.accessToken).then((good) => good || socket.close(closeCodes.sessionEnded, 'session ended'));
  });
}

/** The session behind a socket: good as long as its newest token is, and always the same user's. */
function sessionOf(request: FastifyRequest, { authenticate }: RealtimeDeps) {
  const { signedIn } = request;
  if (!signedIn) throw new Fault('unauthorized');
  let { token } = query.parse(request.query);
  const isOwn = async (accessToken: string) => {
    try {
      return (await authenticate(accessToken)).id === signedIn.id;
    } catch (error) {
      if (error instanceof Fault && error.status === 401) return false;
      throw error;
    }
  };
  return {
    user: signedIn,
    alive: () => isOwn(token),
    async renew(accessToken: string): Promise<boolean> {
      const good = await isOwn(accessToken).catch(() => true);
      if (good) token = accessToken;
      return good;
    },
  };
}

async function missedUpdates({ runs }: RealtimeDeps, userId: string, executionId: string, since: number): Promise<PipelineUpdate[]> {
  if (!z.uuid().safeParse(executionId).success) return [];
  try {
    const { projectId, pipelineId } = await runs.executions.get(userId, executionId);
    const events = await readMissed((from, limit) => runs.executions.events(userId, executionId, from, limit), since, readAtOnce);
    return events.map((event) => ({
      type: 'pipeline_update',
      status: event.status,
      projectId,
      pipelineId,
      executionId,
      seq: event.seq,
      event,
    }));
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') return [];
    throw error;
  }
}

function toExecutionUpdate({ pipelineId, executionId, seq, event }: PipelineUpdate): ExecutionUpdate {
  const { status, progress, step, text, error, type } = event;
  const result = type === 'execution.completed' ? text : null;
  return { type: 'execution_update', pipelineId, executionId, seq, status, progress, step, result, error };
}

function parse(text: string) {
  try {
    return clientMessage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
