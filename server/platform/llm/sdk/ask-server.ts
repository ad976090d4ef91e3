import type { Answer, Egress } from '../../egress/egress.ts';
import { toldWindow } from '../fit/told-window.ts';
import { type HttpFailure, httpFailure } from '../http-failure.ts';
import { type ModelTraits, ofEffort } from '../model-traits.ts';
import { applyTraits, hasTools, type Repair, refusesTools, repairOf } from '../refusals/refused-parameter.ts';

/** The most requests of one call that are made again without what the server has refused. */
const maxRepairs = 4;

type AskOptions = {
  call: Egress;
  href: string;
  /** With the key, and those of the connection. */
  headers: Record<string, string>;
  body: Record<string, unknown>;
  host: string;
  model: string;
  traits: ModelTraits;
  signal: AbortSignal;
};

/** An answer that begins well, and whether an effort was asked for that its server has refused. */
type BegunAnswer = { answer: Answer; isWithoutEffort: boolean };

/**
 * Sends a request through this server's egress, with its limits, and returns the answer when it begins well. A refused parameter is left out, or sent as the
 * server wants it, and the call is made again; that is remembered. Throws the failure of any other refusal.
 */
export async function askServer(options: AskOptions): Promise<BegunAnswer> {
  const { call, href, headers, host, model, traits, signal } = options;
  let body = applyTraits(options.body, await traits.find(host, model));
  const repairs: Repair[] = [];
  for (;;) {
    const answer = await call(href, { method: 'POST', headers, body: JSON.stringify(body), signal });
    if (answer.ok) {
      await learn(options, repairs, body);
      return {
        answer,
        isWithoutEffort: body !== options.body && ofEffort.some((name) => isSent(options.body, name) && !isSent(body, name)),
      };
    }
    const failure = await httpFailure(answer);
    const told = toldWindow(failure.responseBody);
    if (told) await traits.learn(host, model, { context: told.window });
    const tried = repairs.map(({ name }) => name);
    const repair = tried.length < maxRepairs ? repairOf(failure, body, tried) : null;
    if (repair === null) throw await refusal(options, failure, body);
    repairs.push(repair);
    body = repair.apply(body);
  }
}

/** Remembers what has helped. A refusal may name a parameter that has nothing to do with it. */
async function learn({ traits, host, model }: AskOptions, repairs: readonly Repair[], body: Record<string, unknown>): Promise<void> {
  for (const { name, wants, isLasting } of repairs) {
    if (!isLasting) continue;
    // A server that learns to think is asked again soon.
    if (!wants && ofEffort.includes(name)) await traits.learnBriefly(host, model, { refused: [name] });
    else await traits.learn(host, model, wants ? { wants } : { refused: [name] });
  }
  if (hasTools(body)) await traits.learn(host, model, { tools: true });
}

function isSent(body: Record<string, unknown>, name: string): boolean {
  const [outer = '', inner] = name.split('.');
  const value = body[outer];
  return inner === undefined ? value !== undefined : isSent(Object(value) as Record<string, unknown>, inner);
}

async function refusal({ traits, host, model }: AskOptions, failure: HttpFailure, body: Record<string, unknown>): Promise<HttpFailure> {
  if (!hasTools(body) || !refusesTools(failure)) return failure;
  failure.refusesTools = true;
  await traits.learn(host, model, { tools: false });
  return failure;
}
