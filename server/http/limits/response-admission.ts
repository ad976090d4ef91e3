import type { FastifyInstance } from 'fastify';
import type { ErrorBody } from '../../../contract/errors.ts';
import { BodyAdmission, callerOf } from '../bodies/body-admission.ts';
import { onResponseEnd } from '../on-response-end.ts';

const mebibyte = 1024 * 1024;
/** Answers below this size are not counted (bytes). */
const countedBytes = 8 * 1024;
/** Unread answers of one account, or of one address without an account. */
const maxOfCaller = { bytes: 64 * mebibyte, count: 2_000 };
const maxOfAddress = { bytes: 192 * mebibyte, count: 15_000 };
const maxInTotal = { bytes: 256 * mebibyte, count: 20_000 };
/** A client must read an answer within this time, or its connection is closed (ms). */
const sendTimeoutMs = 120_000;

/**
 * Bounds the answers that wait in memory until their clients read them. A client may read one byte a second, on any number of connections,
 * with any number of pipelined requests. Beyond the bounds a new request is refused before it is handled, and the answer to a read is
 * replaced by the refusal. The answer to a finished write is always sent, and counted.
 */
export function admitResponses(app: FastifyInstance, limitMs = sendTimeoutMs): void {
  const admission = new BodyAdmission({ maxOfCaller, maxOfAddress, maxInTotal, refusal: 'too_many_requests' });
  app.addHook('preParsing', async (request) => {
    if (isCounted(request.url)) admission.checkLimits(callerOf(request), 0);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
    if (bytes < countedBytes || !isCounted(request.url)) return;
    const caller = callerOf(request);
    const isError = reply.statusCode >= 400;
    if (request.method === 'GET' && !isError) admission.checkLimits(caller, bytes);
    if (isError && !isWithinLimits(() => admission.checkLimits(caller, bytes))) return withoutDetails(String(payload));
    const lease = admission.count(caller, bytes);
    const limit = setTimeout(() => request.raw.socket.destroy(), limitMs).unref();
    onResponseEnd(request, reply, () => {
      clearTimeout(limit);
      lease.release();
    });
  });
}

function isWithinLimits(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** Returns the same error without details: Fastify cannot replace an error while it is sent. */
function withoutDetails(payload: string): string {
  const { message, code, requestId } = JSON.parse(payload) as ErrorBody;
  return JSON.stringify({ message, code, requestId } satisfies ErrorBody);
}

/** Whether an address belongs to the API, or to MCP clients. */
function isCounted(url: string): boolean {
  return isApiUrl(url) || /^\/mcp(?:\?|$)/i.test(url);
}

/** Whether an address belongs to the API. Routes ignore case. */
export function isApiUrl(url: string): boolean {
  return url.slice(0, 5).toLowerCase() === '/api/';
}
