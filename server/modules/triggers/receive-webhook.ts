import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { usualBody } from '../../../contract/body-limits.ts';
import { id } from '../../../contract/common.ts';
import { maxWebhookBytes, type WebhookScheme, webhooksPerMinute } from '../../../contract/trigger.ts';
import { ApiError } from '../../http/api-error.ts';
import { whileInUse } from '../../http/bodies/body-admission.ts';
import { scanJson } from '../../http/bodies/scan-json.ts';
import { languageOf, translate } from '../../http/language.ts';
import { addressKey } from '../../http/limits/address-key.ts';
import type { RateLimits } from '../../http/limits/rate-limits.ts';
import { type RequestLimits, takePoint } from '../../http/limits/request-limits.ts';
import { inTurnOf } from '../../platform/database/account-turns.ts';
import { isJson } from '../../platform/is-json.ts';
import type { Fires } from './fires.ts';
import type { Triggers } from './service.ts';
import type { ShownFire, TriggerRow } from './tables.ts';
import { kindOf } from './trigger-kinds.ts';
import { checkWebhook, one, type ProofProblem, refusedByHeaders } from './webhook-secret.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trigger whose hook is called; null on other routes. */
    hook: Hook | null;
  }
}

type Hook = { row: TriggerRow; secrets: string[]; scheme: WebhookScheme };

type ReceiveDeps = {
  triggers: Pick<Triggers, 'ofHook'>;
  fires: Pick<Fires, 'fire'>;
  requestLimits: Pick<RequestLimits, 'countAddress'>;
  /** The kind of server that sends the hooks of a trigger for events of a forge; null where its project has no repository. */
  forgeOf: (projectId: string) => Promise<WebhookScheme | null>;
  /** Reads the repository of a trigger soon. */
  wakeForge: (triggerId: string) => Promise<void>;
  rateLimits: Pick<RateLimits, 'count'>;
  /** The server's public address. */
  address: () => string;
  now: () => Date;
};

/** For how long two equal bodies without an id count as one event (ms). */
const sameBodyMs = 10 * 60_000;
/** Calls of one address to one trigger in a minute. Each node counts them, genuine or not: they spend nothing of the trigger's own rate. */
const callsOfAddress = 300;
/** A longer name of a delivery is known by its hash (characters). */
const longestKey = 100;
/** The headers by which senders of each scheme name a delivery, the same in all tries. */
const keyHeaders: Record<WebhookScheme, readonly string[]> = {
  standard: ['webhook-id', 'svix-id'],
  github: ['x-github-delivery'],
  gitea: ['x-gitea-delivery'],
  gitlab: ['idempotency-key'],
  bearer: ['idempotency-key', 'webhook-id', 'svix-id'],
};
/** The headers by which senders say what has happened. */
const eventHeaders = ['x-github-event', 'x-gitea-event', 'x-forgejo-event', 'x-gogs-event', 'x-gitlab-event', 'x-event-key', 'ce-type'];
/** The headers that prove a sender, as they are named to one that proves nothing. */
const proofHeaders: Record<WebhookScheme, string> = {
  standard: 'webhook-id, webhook-timestamp, webhook-signature',
  github: 'X-Hub-Signature-256',
  gitea: 'X-Gitea-Signature',
  gitlab: 'X-Gitlab-Token',
  bearer: 'Authorization',
};
const jsonTypes = /^application\/(?:[\w.+-]+\+)?json\b/i;
const formTypes = /^application\/x-www-form-urlencoded\b/i;

/** What a sender is told: nothing of its body. */
type Receipt = { outcome: string; reason?: string; run?: { id: string; page: string } };

/**
 * Takes webhooks at `/hooks/{id}`, without an account. It checks in this order the size, the rate of the address, the trigger, and whether the headers can prove a
 * delivery; only then is the body read. It goes on with the signature over the raw bytes, the rate of the trigger, the content type, and then, as for each fire,
 * filter and budget. Only genuine deliveries spend the rate of the trigger, which all nodes count together. No answer repeats anything of the body.
 */
export function receiveWebhooks(app: FastifyInstance, deps: ReceiveDeps): void {
  const genuine = new RateLimiterMemory({ points: webhooksPerMinute, duration: 60 });
  const callers = new RateLimiterMemory({ points: callsOfAddress, duration: 60 });
  app.decorateRequest('hook', null);
  app.route({
    method: 'POST',
    url: '/hooks/:id',
    bodyLimit: maxWebhookBytes,
    config: { takesBytes: true },
    onRequest: async (request) => {
      await deps.requestLimits.countAddress(request.address);
      const hookId = id.safeParse((request.params as { id: string }).id);
      if (hookId.success) await takePoint(callers, `${hookId.data} ${addressKey(request.address)}`);
      request.hook = hookId.success ? await hookOf(deps, hookId.data) : null;
      if (!request.hook) throw new ApiError('not_found');
      const { scheme, secrets } = request.hook;
      const reason = refusedByHeaders(scheme, secrets, { headers: request.headers, now: deps.now() });
      if (reason !== null) throw unproven(request, scheme, reason);
    },
    handler: async (request, reply) => {
      const { row, secrets, scheme } = request.hook as Hook;
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const proof = checkWebhook(scheme, secrets, { headers: request.headers, body: bytes, now: deps.now() });
      if (proof !== 'genuine') throw unproven(request, scheme, proof);
      // What is too much for one node alone does not reach the database.
      await takePoint(genuine, row.id);
      await deps.rateLimits.count('webhook', { address: '', account: row.id });
      if (!kindOf(row).hook?.carriesEvent) {
        await deps.wakeForge(row.id);
        return reply.status(202).header('cache-control', 'no-store').send({ outcome: 'reading' });
      }
      const { fire, isDouble } = await whileInUse(request.bodyLease, async () => {
        // Large bodies are parsed and stored in turns.
        await request.bodyLease?.takeTurn();
        const body = await jsonOf(request, bytes);
        return inTurnOf(row.runAs, () => take(deps, row, { request, scheme, bytes, body }));
      });
      const { status, retryAfterSeconds } = answerTo(fire, isDouble);
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
      return reply
        .status(status)
        .header('cache-control', 'no-store')
        .send(receiptOf(deps, row, fire, isDouble));
    },
  });
}

/** Says what is wrong with the proof of a delivery. It does not ask to sign in: the sender is a program. */
function unproven({ headers }: FastifyRequest, scheme: WebhookScheme, reason: ProofProblem): ApiError {
  const isSecret = reason === 'forged' && (scheme === 'gitlab' || scheme === 'bearer');
  const text = isSecret ? ('webhook.wrong_secret' as const) : (`webhook.${reason}` as const);
  const named = headers['svix-id'] === undefined ? proofHeaders[scheme] : proofHeaders[scheme].replaceAll('webhook-', 'svix-');
  const sentence = translate(languageOf(headers['accept-language']), text, { headers: named });
  return new ApiError('unauthorized', { sentence, details: { reason } });
}

async function hookOf({ triggers, forgeOf }: ReceiveDeps, hookId: string): Promise<Hook | null> {
  const found = await triggers.ofHook(hookId);
  if (!found) return null;
  const { settings, projectId } = found.row;
  const scheme = (await kindOf(settings).hook?.scheme(settings, () => forgeOf(projectId))) ?? null;
  return scheme && { ...found, scheme };
}

async function take(
  { fires }: ReceiveDeps,
  trigger: TriggerRow,
  { request: { headers }, scheme, bytes, body }: { request: FastifyRequest; scheme: WebhookScheme; bytes: Buffer; body: string },
) {
  const about = eventHeaders.map((name) => one(headers, name)).find((event) => event !== '');
  const source = about === undefined ? {} : { about: about.slice(0, 100) };
  const named = keyHeaders[scheme].map((name) => one(headers, name)).find((key) => key !== '');
  if (named !== undefined)
    return fires.fire(trigger, { dueAt: null, source, body, key: `id:${named.length > longestKey ? hashOf(named) : named}` });
  return fires.fire(trigger, { dueAt: null, source, body, key: `body:${hashOf(bytes)}`, sameForMs: sameBodyMs });
}

function hashOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the text of a body that is JSON, or a form whose field `payload` is, as GitHub sends it if asked to. */
async function jsonOf({ headers }: FastifyRequest, bytes: Buffer): Promise<string> {
  const type = headers['content-type'] ?? '';
  if (bytes.length > 0 && !isUtf8(bytes)) throw new ApiError('not_utf8');
  const given = formTypes.test(type) ? Buffer.from(new URLSearchParams(bytes.toString()).get('payload') ?? '') : bytes;
  if (bytes.length > 0 && !formTypes.test(type) && !jsonTypes.test(type)) throw new ApiError('unsupported_media_type');
  if (given.length === 0) return '{}';
  const { problem } = await scanJson(given, usualBody);
  if (problem !== undefined) throw new ApiError(problem === 'too_complex' ? 'too_complex' : 'not_json');
  const text = given.toString().replace(/^\uFEFF/, '');
  if (!isJson(text)) throw new ApiError('not_json');
  return text;
}

/** A refusal that passes is answered as such: senders that repeat their deliveries then send this one again, and it is tried anew. */
function answerTo({ outcome, reason }: ShownFire, isDouble: boolean): { status: number; retryAfterSeconds?: number } {
  if (isDouble) return { status: 200 };
  if (outcome === 'started' || outcome === 'waiting') return { status: 202 };
  if (outcome === 'refused' && reason === 'queue') return { status: 429, retryAfterSeconds: 60 };
  if (outcome === 'refused' && (reason === 'quota' || reason === 'storage')) return { status: 503, retryAfterSeconds: 600 };
  return { status: 200 };
}

function receiptOf({ address }: ReceiveDeps, { projectId }: TriggerRow, fire: ShownFire, isDouble: boolean): Receipt {
  const page = `${address()}/test-project?projectId=${projectId}`;
  return {
    outcome: isDouble ? 'duplicate' : fire.outcome,
    ...(fire.reason !== null && { reason: fire.reason }),
    ...(fire.executionId !== null && { run: { id: fire.executionId, page } }),
  };
}
