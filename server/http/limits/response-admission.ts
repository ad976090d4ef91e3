import type { FastifyInstance } from 'fastify';
import { BodyAdmission } from '../bodies/body-admission.ts';
import { whenAnswered } from '../when-answered.ts';

const mebibyte = 1024 * 1024;
/** Answers below this size are not counted (bytes). */
const countedBytes = 8 * 1024;
/** Answers that one account, or one address without an account, has asked for and not taken yet. */
const maxOfCaller = { bytes: 64 * mebibyte, count: 2_000 };
const maxInTotal = { bytes: 256 * mebibyte, count: 20_000 };
/** An answer has been taken by then (ms), as a request has arrived by then; else its connection is cut. */
const takenWithinMs = 120_000;

/**
 * Bounds the answers of the API that wait in memory until their clients read them: a client may read a byte a second, on any number of
 * connections, with any number of requests sent ahead on each. What is read only is refused beyond the bounds; the answer to a write
 * is always sent, since the write is done.
 */
export function admitResponses(app: FastifyInstance, limitMs = takenWithinMs): void {
  const admission = new BodyAdmission({ maxOfCaller, maxInTotal, refusal: 'too_many_requests' });
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
    if (bytes < countedBytes || !isOfApi(request.url)) return;
    const lease = request.method === 'GET' ? admission.admit(request.signedIn?.id ?? request.ip, bytes) : null;
    const limit = setTimeout(() => request.raw.socket.destroy(), limitMs).unref();
    whenAnswered(request, reply, () => {
      clearTimeout(limit);
      lease?.release();
    });
  });
}

/** Routes are found in any case. */
export function isOfApi(url: string): boolean {
  return url.slice(0, 5).toLowerCase() === '/api/';
}
