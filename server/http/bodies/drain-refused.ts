import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { FairQueue } from '../../platform/fair-queue.ts';
import { callerOf } from './body-admission.ts';

/** A shorter body is taken at once (bytes). */
const shortBody = 256 * 1024;
/** The longest turn (ms): a slow sender keeps others waiting no longer. */
const turnMs = 50;

/**
 * Takes the rest of refused bodies in turns. A caller learns of the refusal only if its connection stays open and takes what it sends, but
 * Node takes up to 2 MiB from each connection before it serves the next one: a dozen of refused bodies at once would delay everyone's calls.
 */
export function drainRefusedBodies(app: FastifyInstance): void {
  const turns = new FairQueue({ inTotal: 2, ofAccount: 1 });
  app.addHook('onError', async (request) => {
    const { raw } = request;
    const isChunked = raw.headers['transfer-encoding'] !== undefined;
    if (raw.complete || !(isChunked || Number(raw.headers['content-length'] ?? 0) > shortBody)) return;
    void drain(raw, callerOf(request).id, turns);
  });
}

async function drain(body: IncomingMessage, caller: string, turns: FairQueue): Promise<void> {
  let isOver = false;
  const ended = finished(body, { cleanup: true })
    .catch(() => {})
    .then(() => {
      isOver = true;
    });
  // Node takes a body without a reader at full speed after its answer.
  body.pause();
  body.on('data', () => {});
  body.read(0);
  while (!isOver) {
    const place = await turns.admit(caller);
    body.resume();
    await Promise.race([ended, wait(turnMs)]);
    if (!isOver) body.pause();
    place.release();
  }
}
