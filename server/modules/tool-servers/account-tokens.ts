import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { PrivateHosts } from '../../platform/egress/private-hosts.ts';
import type { SignedIn } from '../../platform/mcp/account-sign-in.ts';
import { McpFailed } from '../../platform/mcp/mcp-failed.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { ToolServerRepository, type ToolServerRow } from './repository.ts';
import { openKey, openSecret, sealKey } from './server-key.ts';

type AccountTokensDeps = { db: Db; egress: Egress; secrets: SecretBox; allowPrivateHosts: PrivateHosts; now: () => number };

/** A token is replaced this long before its end (ms). */
const earlyMs = 30_000;
/** How long one node may take to replace it, and how often others look (ms). */
const leaseMs = 30_000;
const lookMs = 250;

/**
 * The access tokens of sign-ins. A token is replaced by one node at a time: some authorization servers take a refresh token once, and end the grant when
 * it comes twice.
 */
export function createAccountTokens({ db, egress, secrets, allowPrivateHosts, now }: AccountTokensDeps) {
  const repository = new ToolServerRepository(db);
  const underWay = new Map<string, Promise<string>>();

  const signedIn = (row: ToolServerRow): SignedIn => {
    const { key, isUnreadable } = openKey(secrets, row);
    if (isUnreadable) throw new McpFailed('key_unreadable');
    if (key === null) throw new McpFailed('sign_in');
    return JSON.parse(key) as SignedIn;
  };

  const refresh = async ({ projectId, id }: ToolServerRow, refused: string | null): Promise<string> => {
    for (let waited = 0; waited <= leaseMs; waited += lookMs) {
      const row = await repository.find(projectId, id);
      if (!row || row.keySealed === null || row.auth.kind !== 'account') throw new McpFailed('sign_in');
      const account = signedIn(row);
      if (account.token !== refused && account.until - earlyMs > now()) return account.token;
      if (await repository.claimRefresh(id, row.keySealed, leaseMs)) return replace(row, row.keySealed, account);
      await wait(lookMs);
    }
    throw new McpFailed('token');
  };

  const replace = async (row: ToolServerRow, before: string, account: SignedIn): Promise<string> => {
    const { refreshSignIn } = await import('../../platform/mcp/account-sign-in.ts');
    try {
      const { client, isUnreadable } = openSecret(secrets, row);
      if (isUnreadable) throw new McpFailed('key_unreadable');
      const next = await refreshSignIn(account, client, { egress, allowPrivateHosts, now });
      await repository.putRefreshed(row.id, before, sealKey(secrets, row, JSON.stringify(next)));
      return next.token;
    } catch (error) {
      const isEnded = error instanceof McpFailed && error.reason === 'sign_in';
      await repository.putRefreshed(row.id, before, isEnded ? null : before);
      throw error;
    }
  };

  /** Returns a token for a server that a person has signed in to. `refused`: one that the server takes no more. Throws `McpFailed`. */
  return async (row: ToolServerRow, refused: string | null): Promise<string> => {
    const { token, until } = signedIn(row);
    if (token !== refused && until - earlyMs > now()) return token;
    const known = underWay.get(row.id);
    if (known) return known;
    const work = refresh(row, refused).finally(() => underWay.delete(row.id));
    underWay.set(row.id, work);
    return work;
  };
}

export type AccountTokens = ReturnType<typeof createAccountTokens>;
