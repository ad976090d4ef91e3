import type { CallInput, ResponseTo, Sending } from '../../../../contract/call.ts';
import type { RouteName } from '../../../../contract/routes.ts';
import type { Problem } from '../../../model/problem.ts';

/**
 * The cause of a failed call, by the required action. `unauthenticated`: wait for a session. `unreachable`: retry later. `stale`: another
 * tab or user saved first. `refused`: show it to the user.
 */
export type BackendError = {
  kind: 'unauthenticated' | 'unreachable' | 'stale' | 'refused';
  problem: Problem;
  status: number;
  retryAfterMs: number | null;
};

/** Returns whether the server reports that the record does not exist. A 404 of a proxy does not count. */
export function isMissing({ status, problem }: BackendError): boolean {
  return status === 404 && problem.code === 'not_found';
}

/** The outcome of a command whose call ended in a fault. */
export function refusal({ problem }: BackendError): { ok: false; error: Problem } {
  return { ok: false, error: problem };
}

/** `total`: how many there are in all, where the answer is a page of a list and the server says it. */
export type Answer<T> = { ok: true; value: T; total?: number } | { ok: false; fault: BackendError };

/** Stores a workspace's content and executes its runs. */
export type Backend = {
  /** Makes a call by its route's name. */
  call<R extends RouteName>(route: R, ...sent: Sending<R>): Promise<Answer<ResponseTo<R>>>;
};

/** Answers to calls, by the names of their routes. */
export type RouteMap = { [R in RouteName]: (input: CallInput<R>) => Answer<ResponseTo<R>> | Promise<Answer<ResponseTo<R>>> };

/** What a running execution may be asked for: its routes have these names. */
export type ExecutionAction = 'pause' | 'resume' | 'nextStep' | 'stop';
