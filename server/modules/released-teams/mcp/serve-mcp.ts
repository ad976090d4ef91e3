import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { teamRunBody } from '../../../../contract/body-limits.ts';
import { ApiError } from '../../../http/api-error.ts';
import { callerOf } from '../../../http/bodies/body-admission.ts';
import { ofOwnAccount, type SignedIn } from '../../../http/call.ts';
import { clientSignal } from '../../../http/client-signal.ts';
import type { RequestLimits } from '../../../http/limits/request-limits.ts';
import type { ProgramKeys } from '../../../http/mount.ts';
import { inTurnOf } from '../../../platform/database/account-turns.ts';
import { FairQueue } from '../../../platform/fair-queue.ts';
import type { McpToolsDeps } from './mcp-tools.ts';

type ServeMcpDeps = McpToolsDeps & {
  keys: Pick<ProgramKeys, 'authenticate' | 'checkReach'>;
  requestLimits: RequestLimits;
  originAllowed: (request: FastifyRequest) => boolean;
};

/** Calls that are worked on at the same time. Those that wait for a run take no place. */
const turnLimits = { inTotal: 8, ofAccount: 2, ofEachAccount: 1 };
const batchRefused = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request: send one message in a call.' } };
const keyPattern = /^Bearer (art_\w{40})$/i;

/**
 * Serves released teams to MCP clients at `/mcp`: its tools reach what the key of a call may. Each call stands alone, in the protocol of 2025 and of 2026,
 * so any node answers it, and accounts take turns. The library is loaded with the first call.
 */
export function serveMcp(app: FastifyInstance, { requestLimits, originAllowed, ...deps }: ServeMcpDeps): void {
  const turns = new FairQueue(turnLimits);
  app.route({
    method: ['POST', 'GET', 'DELETE'],
    url: '/mcp',
    bodyLimit: teamRunBody.bytes,
    config: { body: teamRunBody },
    onRequest: async (request) => {
      await requestLimits.countAddress(request.address);
      if (!originAllowed(request)) throw new ApiError('forbidden');
      const key = keyPattern.exec(request.headers.authorization ?? '')?.[1];
      if (key === undefined) throw new ApiError('unauthorized', { details: { reason: 'missing' } });
      request.signedIn = await deps.keys.authenticate({ key, need: 'read', address: request.address, count: requestLimits.countAccount });
    },
    handler: (request, reply) => inTurnOf(callerOf(request).id, () => answer(request, reply)),
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const { teamServer } = await import('./mcp-tools.ts');
    // The protocol has had no batches since June 2025. One could hold a hundred waits, and would count as one call.
    if (Array.isArray(request.body)) return reply.status(400).send(batchRefused);
    const user = ofOwnAccount(request.signedIn as SignedIn);
    const signal = clientSignal(request, reply);
    const turn = await turns.admit(user.ownerId, { signal });
    try {
      const handler = createMcpHandler(() => teamServer(deps, user, { signal, onWait: turn.release }));
      const response = await handler.fetch(webRequest(request, signal), { parsedBody: request.body });
      response.headers.forEach((value, name) => void reply.header(name, value));
      reply.status(response.status).header('cache-control', 'no-store');
      const isStreamed = response.body !== null && reportsProgress(request.body);
      return reply.send(isStreamed ? Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]) : await response.text());
    } finally {
      turn.release();
    }
  }
}

/**
 * Whether a call tells of its progress before its answer. Every other answer is sent whole, so it counts among those that clients have not read yet: the
 * library writes into a stream without waiting for its reader.
 */
function reportsProgress(body: unknown): boolean {
  return z
    .object({
      method: z.literal('tools/call'),
      params: z.object({ name: z.literal('wait_for_run'), _meta: z.object({ progressToken: z.unknown() }) }),
    })
    .safeParse(body).success;
}

/** The request without its body, which is parsed already. */
function webRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !['content-length', 'transfer-encoding'].includes(name)) headers.set(name, String(value));
  }
  return new Request(`${request.protocol}://${request.host}${request.url}`, { method: request.method, headers, signal });
}
