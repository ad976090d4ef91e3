import type { FastifyReply } from 'fastify';
import { decodeJwt } from 'jose';
import { passwordRule } from '../../../contract/account.ts';
import type { Handlers } from '../../http/call.ts';
import { accessTokenMinutes } from './access-tokens.ts';
import type { ClientRecognition } from './client-recognition.ts';
import type { AuthService } from './service.ts';

type AuthHandlers = Pick<Handlers, Extract<keyof Handlers, `auth.${string}`>>;

export function authHandlers(
  auth: AuthService,
  places: Pick<ClientRecognition, 'deviceCookie'>,
  config: { registration: 'open' | 'closed'; realtime: 'auto' | 'off'; runner: () => Promise<boolean> },
): AuthHandlers {
  /** Makes the browser of a sign-in or refresh a known device of the account. */
  const knowDevice = <T extends { accessToken: string; user?: { email: string } | undefined }>(answer: T, reply: FastifyReply): T => {
    const { sid } = decodeJwt(answer.accessToken);
    if (answer.user && typeof sid === 'string') {
      reply.header('set-cookie', places.deviceCookie(answer.user.email, sid, reply.request.protocol === 'https'));
    }
    return answer;
  };
  return forgettingSessions(auth, {
    'auth.config': async () => ({ ...config, runner: await config.runner(), passwordRule, accessTokenMinutes }),
    'auth.register': async ({ body, language, address, isLocal, reply }) =>
      knowDevice(await auth.register(body, language, { address, isLocal }), reply),
    'auth.login': async ({ body, address, reply }) => knowDevice(await auth.login(body, address), reply),
    'auth.refresh': async ({ body, address, reply }) => knowDevice(await auth.sessions.refresh(body.refreshToken, address), reply),
    'auth.logout': async ({ body }) => {
      if (body?.refreshToken) await auth.sessions.logout(body.refreshToken);
    },
    'auth.profile': ({ user, isLocal }) => auth.profile(user.id, isLocal),
    'auth.updateProfile': ({ user, body, language, isLocal }) => auth.updateProfile(user.id, body, language, isLocal),
    'auth.verifyEmail': ({ body, language }) => auth.verifyEmail(body.token, language),
    'auth.sendVerification': ({ user, language }) => auth.sendVerification(user.id, language),
    'auth.forgotPassword': async ({ body, language }) => {
      auth.sendReset(body.email, language);
    },
    'auth.resetPassword': ({ body, language }) => auth.resetPassword(body, language),
    'auth.socketTicket': ({ user }) => auth.sessions.issueTicket(user),
    'auth.changePassword': ({ user, body, language }) => auth.changePassword(user, body, language),
  });
}

/** After each call that may have changed accounts or sessions, nothing is remembered of them: before its answer is sent. */
function forgettingSessions(auth: AuthService, handlers: AuthHandlers): AuthHandlers {
  const forgetting = Object.entries(handlers).map(([name, handle]) => {
    const handler = handle as (call: unknown) => unknown;
    const forget = async (call: unknown) => {
      try {
        return await handler(call);
      } finally {
        auth.sessions.forget();
      }
    };
    return [name, forget];
  });
  return Object.fromEntries(forgetting) as AuthHandlers;
}
