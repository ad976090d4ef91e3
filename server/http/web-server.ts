import type { Server } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { usualBody } from '../../contract/body-limits.ts';
import { admitBodies } from './bodies/body-admission.ts';
import { drainRefusedBodies } from './bodies/drain-refused.ts';
import { readBodies } from './bodies/read-bodies.ts';
import { noteAddresses } from './client-address.ts';
import { allowOrigins, type OriginRule } from './cors.ts';
import { sendFailure } from './failure.ts';
import { admitResponses, isApiUrl } from './limits/response-admission.ts';
import { type HeaderRule, securityHeaders } from './security-headers.ts';

type WebServerRule = OriginRule & HeaderRule & { trustProxy: boolean | number | readonly string[] };

/**
 * The refusal after which Fastify would close the connection while the caller is still sending. The system would then reset it, and the
 * caller might never read the reason. Kept open, it takes the rest (`drainRefusedBodies`), for at most
 * `requestTimeout`.
 */
const tooLarge = 413;
/** The time limit for a whole request (ms): enough for the largest canvas over a slow line. */
const requestTimeout = 120_000;

/** Creates the Fastify server with the parts that all answers share: ids, logs, headers, origins, bodies and failures. */
export async function makeWebServer(log: Logger, rule: WebServerRule): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify<Server>({
    loggerInstance: log as FastifyBaseLogger,
    genReqId: () => v7(),
    trustProxy: trustOf(rule.trustProxy),
    bodyLimit: usualBody.bytes,
    requestTimeout,
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildValidator: () => compileSchema, buildSerializer: () => compileSchema } },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 200 },
  });
  app.setErrorHandler(sendFailure);
  noteAddresses(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode === tooLarge) reply.removeHeader('connection');
    if (isApiUrl(request.url) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    const level = reply.statusCode >= 500 ? 'warn' : reply.statusCode >= 400 ? 'info' : 'debug';
    request.log[level]({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'A call was answered');
  });
  await securityHeaders(app, rule);
  allowOrigins(app, rule);
  admitBodies(app);
  drainRefusedBodies(app);
  admitResponses(app);
  readBodies(app);
  return app;
}

/** Routes are checked by zod, and have no schema for Fastify. Without this function Fastify loads compilers of schemas, a hundred files. */
function compileSchema(): never {
  throw new Error('A route has a schema of Fastify, which the server does not compile.');
}

/** A number is the number of trusted proxies, counted from the server. */
function trustOf(rule: WebServerRule['trustProxy']): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (typeof rule === 'boolean') return rule;
  return typeof rule === 'number' ? (_address, hop) => hop < rule : [...rule];
}
