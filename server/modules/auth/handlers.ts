import { passwordRule } from '../../../contract/account.ts';
import type { Handlers } from '../../http/call.ts';
import { accessTokenMinutes } from './access-tokens.ts';
import type { AuthService } from './service.ts';

type AuthHandlers = Pick<Handlers, Extract<keyof Handlers, `auth.${string}`>>;

export function authHandlers(auth: AuthService, config: { registration: 'open' | 'closed'; realtime: 'auto' | 'off' }): AuthHandlers {
  return {
    'auth.config': async () => ({ ...config, passwordRule, accessTokenMinutes }),
    'auth.register': ({ body, language }) => auth.register(body, language),
    'auth.login': ({ body }) => auth.login(body),
    'auth.refresh': ({ body }) => auth.exchange(body.refreshToken),
    'auth.logout': async ({ body }) => {
      if (body?.refreshToken) await auth.logout(body.refreshToken);
    },
    'auth.profile': ({ user }) => auth.profile(user.id),
    'auth.updateProfile': ({ user, body, language }) => auth.updateProfile(user.id, body, language),
    'auth.forgotPassword': async ({ body, language }) => {
      auth.sendReset(body.email, language);
      return undefined;
    },
    'auth.resetPassword': async ({ body, language }) => {
      await auth.resetPassword(body, language);
      return undefined;
    },
    'auth.changePassword': async ({ user, body, language }) => {
      await auth.changePassword(user, body, language);
      return undefined;
    },
  };
}
