import type { Handlers } from '../../http/call.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AuthService } from '../auth/index.ts';
import type { ExportService } from './export/export-service.ts';

type AccountHandlersDeps = {
  auth: Pick<AuthService, 'beginDeletion' | 'takeBack'> & { sessions: Pick<AuthService['sessions'], 'forget'> };
  exports: ExportService;
  stopWork: (userId: OwnerId) => Promise<void>;
  log: { warn: (about: object, line: string) => void };
};

export function accountHandlers({
  auth,
  exports,
  stopWork,
  log,
}: AccountHandlersDeps): Pick<Handlers, Extract<keyof Handlers, `account.${string}`>> {
  /** Nothing is remembered of a session whose account was locked or unlocked. */
  const forgetting = async <T>(change: Promise<T>): Promise<T> => {
    try {
      return await change;
    } finally {
      auth.sessions.forget();
    }
  };
  return {
    'account.exportLink': ({ user, language }) =>
      exports.link({ userId: user.ownerId, sessionId: user.sessionId, language: user.language ?? language }),
    'account.export': ({ query }) => exports.download(query.token),
    'account.delete': async ({ user, body, language }) => {
      const dueAt = await forgetting(auth.beginDeletion(user, body.currentPassword, language));
      // The watch goes on with what could not be stopped.
      await stopWork(user.ownerId).catch((error: unknown) => log.warn({ err: error }, 'The work of a deleted account is not stopped yet'));
      return { deletionDueAt: dueAt.toISOString() };
    },
    'account.takeBack': ({ user }) => forgetting(auth.takeBack(user.id)),
  };
}
