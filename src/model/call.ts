import type { ResponseTo, Sending } from '../../contract/call.ts';
import type { RouteName } from '../../contract/routes.ts';
import type { Problem } from './problem.ts';

/** `total`: how many there are in all, where the answer is a page of a list and the server says it. */
export type Answered<T> = { ok: true; value: T; total?: number } | { ok: false; error: Problem };

/** Makes a call by its route's name to the source of the workspace's content. */
export type Call = <R extends RouteName>(route: R, ...sent: Sending<R>) => Promise<Answered<ResponseTo<R>>>;
