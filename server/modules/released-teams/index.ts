import type { FastifyReply, FastifyRequest } from 'fastify';
import type { QuestionAnswer } from '../../../contract/executions/question.ts';
import { type Handlers, paged } from '../../http/call.ts';
import { type RunEventsDeps, streamRunEvents } from './run-events.ts';
import type { ReleasedTeams } from './service.ts';
import type { TeamCalls } from './team-calls.ts';

/** The public functions of the module of released teams. */
export { serveMcp } from './mcp/serve-mcp.ts';
export { ReleasedTeams } from './service.ts';
export { type AskedCall, TeamCalls } from './team-calls.ts';

type Names = Extract<keyof Handlers, `releasedTeam.${string}` | `team.${string}`>;

export function releasedTeamHandlers(teams: ReleasedTeams, calls: TeamCalls, events: RunEventsDeps): Pick<Handlers, Names> {
  return {
    'releasedTeam.list': ({ user, params }) => teams.list(user.ownerId, params.id),
    'releasedTeam.release': ({ user, params, body, language, storeIdempotentResponse }) =>
      teams.release(user, params.id, body, language, storeIdempotentResponse),
    'releasedTeam.get': ({ user, params }) => teams.get(user.ownerId, params.id, params.teamId),
    'releasedTeam.update': ({ user, params, body, language }) => teams.change(user.ownerId, params.id, params.teamId, body, language),
    'releasedTeam.releaseNext': ({ user, params, body, storeIdempotentResponse }) =>
      teams.releaseNext(user, params.id, params.teamId, body, storeIdempotentResponse),
    'releasedTeam.withdraw': ({ user, params }) => teams.withdraw(user.ownerId, params.id, params.teamId),
    'team.get': ({ user, params }) => calls.get(user, params.slug),
    'team.start': ({ user, params, body, language, signal, storeIdempotentResponse }) =>
      calls.start({ user, language, signal }, params.slug, body, storeIdempotentResponse),
    'team.run': ({ user, params }) => calls.run(user, params.slug, params.id),
    'team.events': async ({ user, params, query, reply }) => {
      const { status } = await calls.run(user, params.slug, params.id);
      const since = query.since ?? lastEventId(reply.request);
      if (!accepts(reply.request)) return events.read(user.ownerId, params.id, since, 1_000);
      asEvents(reply);
      const hasEnded = !['queued', 'running', 'waiting', 'paused'].includes(status);
      return streamRunEvents(events, user, { id: params.id, since, hasEnded });
    },
    'team.result': ({ user, params, language }) => calls.result(user, params.slug, params.id, language),
    'team.questions': ({ user, params, query }) => paged(calls.questions(user, params.slug, params.id, query)),
    'team.answer': ({ user, params, body, language, storeIdempotentResponse }) =>
      calls.answer({ user, language }, params, body satisfies QuestionAnswer, storeIdempotentResponse),
  };
}

function accepts({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/event-stream') ?? false;
}

function asEvents(reply: FastifyReply): void {
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
}

/** The number of the last event of a returning client; 0 for none, and for a malformed one. */
function lastEventId({ headers }: FastifyRequest): number {
  const sent = headers['last-event-id'];
  return typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : 0;
}
