import { randomBytes } from 'node:crypto';
import type { ToolServer, ToolSignIn, ToolSignInEnd } from '../../../contract/tool-server.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import type { PendingSignIn } from '../../platform/mcp/account-sign-in.ts';
import { McpFailed } from '../../platform/mcp/mcp-failed.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { ToolServerRepository, type ToolServerRow } from './repository.ts';
import { keyHostOf, openSecret, sealKey } from './server-key.ts';
import type { ToolServersDeps } from './service.ts';
import { ToolsRefused } from './tools-refused.ts';

type Servers = {
  find: (projectId: string, id: string) => Promise<ToolServerRow>;
  shown: (row: ToolServerRow, language: Language) => Promise<ToolServer>;
  /** A sign-in connects to servers, so it waits in the queue of the tests. */
  tests: AdmissionQueue;
};

/** The page of the workspace: a sign-in leads back to it. */
const returnPath = '/test-project';

/** Sign-ins of people to tool servers with an account there: from the page of the account's server back to its tokens. */
export function createSignIns(
  { db, projects, secrets, egress, allowPrivateHosts, address, now }: ToolServersDeps,
  { find, shown, tests }: Servers,
) {
  const repository = new ToolServerRepository(db);
  const reach = { egress, allowPrivateHosts, now: () => now().getTime() };
  const refuseSignIn =
    (language: Language) =>
    (error: unknown): never => {
      if (!(error instanceof McpFailed)) throw error;
      const { reason, said } = error;
      throw new ToolsRefused('sign_in_failed', { why: `${translate(language, `tools.problem_${reason}`)}${said ? ` (${said})` : ''}` });
    };

  const secretOf = (server: ToolServerRow, language: Language) => {
    const { client, isUnreadable } = openSecret(secrets, server);
    return isUnreadable ? refuseSignIn(language)(new McpFailed('key_unreadable')) : client;
  };

  return {
    /** Begins a sign-in. Another one that has begun before does not end. */
    async begin(userId: OwnerId, project: string, id: string, language: Language): Promise<ToolSignIn> {
      const projectId = await projects.resolve(userId, project);
      const server = await find(projectId, id);
      const { url, auth } = server;
      if (url === null || auth.kind !== 'account') throw new ToolsRefused('no_account');
      const client = { id: auth.clientId, given: secretOf(server, language) };
      return tests.run(userId, async () => {
        const { beginSignIn } = await import('../../platform/mcp/account-sign-in.ts');
        const state = `tools.${projectId}.${id}.${randomBytes(24).toString('base64url')}`;
        const redirectUrl = `${address()}${returnPath}`;
        const asked = { url, client, scope: auth.scope, redirectUrl, state };
        const { pending, page } = await beginSignIn(asked, reach).catch(refuseSignIn(language));
        const signInSealed = secrets.seal(JSON.stringify(pending), aboutSignIn(id, keyHostOf(url, auth)));
        if (!(await repository.update(projectId, id, { signInSealed }))) throw new ApiError('not_found');
        return { url: page, host: new URL(page).host };
      });
    },

    /** Ends a sign-in with what the person came back with. Its tokens belong to the host of the tool server. */
    async end(userId: OwnerId, project: string, id: string, { state, code, iss }: ToolSignInEnd, language: Language): Promise<ToolServer> {
      const projectId = await projects.resolve(userId, project);
      const server = await find(projectId, id);
      const { url, auth, signInSealed } = server;
      if (url === null || auth.kind !== 'account') throw new ToolsRefused('no_account');
      const keyHost = keyHostOf(url, auth);
      const text = signInSealed && secrets.open(signInSealed, aboutSignIn(id, keyHost));
      const pending = text ? (JSON.parse(text) as PendingSignIn) : null;
      if (!signInSealed || pending?.state !== state || pending.until < now().getTime()) throw new ToolsRefused('sign_in_expired');
      const secret = secretOf(server, language);
      if (!(await repository.takeSignIn(projectId, id, signInSealed))) throw new ToolsRefused('sign_in_expired');
      return tests.run(userId, async () => {
        const { endSignIn } = await import('../../platform/mcp/account-sign-in.ts');
        const signedIn = await endSignIn(pending, { code, iss, secret }, reach).catch(refuseSignIn(language));
        const row = await db.transaction(async (tx) => {
          const inside = new ToolServerRepository(tx);
          const before = orNotFound(await inside.lock(projectId, id));
          // Its address or its client has changed meanwhile: the tokens are for another one.
          if (before.url === null || keyHostOf(before.url, before.auth) !== keyHost) throw new ToolsRefused('sign_in_expired');
          const keySealed = sealKey(secrets, { id, keyHost }, JSON.stringify(signedIn));
          return inside.update(projectId, id, { keySealed, keyHost, keyLast4: null, refreshingUntil: null, problem: null });
        });
        return shown(row as ToolServerRow, language);
      });
    },
  };
}

/** The row and the host that a sign-in is encrypted for. */
function aboutSignIn(id: string, keyHost: string): string {
  return `tool_servers.${id}.sign_in ${keyHost}`;
}
