import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { id } from '../../../contract/common.ts';
import { type Handlers, type Language, type Member, paged, type StoreIdempotentResponse } from '../../http/call.ts';
import type { AgentFigures } from './agent-work.ts';
import { toChatCompletion } from './chat-completion.ts';
import { type CommandRow, hasEnded, toState } from './rows.ts';
import type { CommandService } from './service.ts';

type CommandHandlers = Pick<Handlers, Extract<keyof Handlers, `command.${string}`>>;

type Calling = {
  user: Member;
  language: Language;
  idempotencyKey: string | null;
  storeIdempotentResponse: StoreIdempotentResponse;
  earlier: unknown;
  reply: FastifyReply;
};

const kept = z.object({ id });

export function commandHandlers(commands: CommandService, figures: AgentFigures): CommandHandlers {
  const callerOf = ({ user, language, idempotencyKey, storeIdempotentResponse }: Calling) => ({
    userId: user.ownerId,
    keyId: user.key?.id ?? null,
    language: user.language ?? language,
    keep: idempotencyKey === null ? null : storeIdempotentResponse,
  });

  /** Returns the command of this call, or of an earlier call with the same key, once it has ended or 25 s have passed. */
  const settled = async (call: Calling, give: () => Promise<CommandRow>): Promise<CommandRow> => {
    const given = call.earlier === null ? await give() : null;
    if (given && hasEnded(given)) return given;
    const row = await commands.result(call.user.ownerId, given?.id ?? kept.parse(call.earlier).id, given !== null);
    if (!hasEnded(row)) call.reply.status(202);
    return row;
  };

  return {
    'command.execute': async (call) => {
      const give = () => commands.execute(callerOf(call), call.body);
      if (!call.body.async) return toState(await settled(call, give));
      call.reply.status(202);
      return call.earlier === null ? toState(await give()) : commands.status(call.user.ownerId, kept.parse(call.earlier).id);
    },
    'command.executeAsync': async (call) => toState(await commands.execute(callerOf(call), call.body)),
    'command.status': ({ user, params }) => commands.status(user.ownerId, params.id),
    'command.cancel': ({ user, params }) => commands.cancel(user.ownerId, params.id),
    'command.history': ({ user, params, query }) => paged(commands.history(user.ownerId, params.agentId, query)),
    'command.clearHistory': ({ user, params }) => commands.clearHistory(user.ownerId, params.agentId),
    'command.statistics': ({ user, params }) => figures.statistics(user.ownerId, params.agentId),
    'command.availability': ({ user, params }) => figures.availability(user.ownerId, params.agentId),
    'command.load': ({ user, params }) => figures.load(user.ownerId, params.agentId),
    'command.openai': async (call) => {
      const row = await settled(call, () => commands.converse(callerOf(call), call.params.agentId, call.body));
      return hasEnded(row) ? toChatCompletion(row) : toState(row);
    },
  };
}
