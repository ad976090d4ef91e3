import { createElement } from 'react';
import { ServerData } from '../../src/app/server-data/server-data.ts';
import { ServerDataContext } from '../../src/app/server-data/server-data-provider.tsx';
import type { Call } from '../../src/model/call.ts';
import { failed } from '../../src/model/problem.ts';
import { renderHook } from './render-hook.ts';

/** What a call sends, as far as a test asks for it. */
type Sent = { params?: Record<string, string>; query?: Record<string, unknown>; body?: Record<string, unknown>; idempotencyKey?: string };
export type PlayedAnswers = Record<string, (sent: Sent) => unknown>;

/** A refusal by the server, or an answer that was lost (`network`). */
export class PlayedProblem extends Error {}

export const refuse = (code: string) => () => {
  throw new PlayedProblem(code);
};

/** A hook on a server that answers with these functions, one for each route; and the names of the calls that it made. */
export function hookOn<T>(answers: PlayedAnswers, hook: () => T) {
  const calls: string[] = [];
  const call = async (route: string, sent: Sent = {}) => {
    calls.push(route);
    try {
      return { ok: true as const, value: await answers[route]?.(sent) };
    } catch (error) {
      if (!(error instanceof PlayedProblem)) throw error;
      return failed(error.message);
    }
  };
  const data = new ServerData(call as unknown as Call);
  return { ...renderHook(hook, (part) => createElement(ServerDataContext, { value: data }, part)), calls, data };
}
