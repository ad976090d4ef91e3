import type { z } from 'zod';
import type { ToolServerAuth, toolServerCreation } from '../../../contract/tool-server.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ToolServerRow } from './repository.ts';
import { ToolsRefused } from './tools-refused.ts';

export type GivenAuth = z.output<typeof toolServerCreation>['auth'];
type KeyColumns = Pick<ToolServerRow, 'auth' | 'keySealed' | 'keyLast4' | 'keyHost' | 'secretSealed'>;

/** The hosts that a key or a secret reaches: the tool server itself, and the token server of an OAuth client. A sign-in holds for its client and scope. */
export function keyHostOf(url: string, auth: ToolServerAuth): string {
  if (auth.kind === 'account') {
    const client = `${new URL(url).origin} ${auth.clientId} ${auth.scope}`;
    return auth.tokenUrl === undefined ? `account ${client}` : `account of ${auth.tokenUrl} ${client}`;
  }
  const origins = auth.kind === 'client' ? [new URL(auth.tokenUrl).origin, new URL(url).origin] : [new URL(url).origin];
  return `${auth.kind} ${origins.join(' ')}`;
}

/**
 * Returns the columns of a server's authentication: a key is encrypted for its server and hosts, and goes when one of them changes. Throws
 * `ToolsRefused` for a client with a secret that is not whole.
 */
export function keyColumns(secrets: SecretBox, id: string, url: string, given: GivenAuth, before: KeyColumns | null): KeyColumns {
  const { auth, key } = split(given);
  const host = keyHostOf(url, auth);
  const secretSealed = sealedSecret(secrets, id, given, before);
  if (auth.kind !== 'none' && key !== undefined) {
    const keyLast4 = key.length >= 12 ? key.slice(-4) : '';
    return { auth, keySealed: secrets.seal(key, aboutKey(id, host)), keyLast4, keyHost: host, secretSealed };
  }
  if (auth.kind !== 'none' && before?.keySealed && before.keyHost === host)
    return { auth, keySealed: before.keySealed, keyLast4: before.keyLast4, keyHost: host, secretSealed };
  return { auth, keySealed: null, keyLast4: null, keyHost: null, secretSealed };
}

/** The secret of a sign-in's client is encrypted for the client and the address that tokens come from. It stays while both do. */
function sealedSecret(secrets: SecretBox, id: string, given: GivenAuth, before: KeyColumns | null): string | null {
  if (given.kind !== 'account') return null;
  const { clientId, tokenUrl, secret } = given;
  if (tokenUrl === undefined) {
    if (secret !== undefined) throw new ToolsRefused('token_address');
    return null;
  }
  if (clientId === '') throw new ToolsRefused('client_missing');
  if (secret !== undefined) return secrets.seal(secret, aboutSecret(id, { clientId, tokenUrl }));
  const known = before?.auth.kind === 'account' && before.auth.tokenUrl === tokenUrl && before.auth.clientId === clientId;
  if (!known || before.secretSealed === null) throw new ToolsRefused('key_missing');
  return before.secretSealed;
}

/**
 * Returns the secret of a sign-in's client with the only address that it is for; null for a client without one. `isUnreadable`: it was encrypted
 * with another secret of this server.
 */
export function openSecret(
  secrets: SecretBox,
  { id, auth, secretSealed }: Pick<ToolServerRow, 'id' | 'auth' | 'secretSealed'>,
): { client: { secret: string; tokenUrl: string } | null; isUnreadable: boolean } {
  if (auth.kind !== 'account' || auth.tokenUrl === undefined) return { client: null, isUnreadable: false };
  const { clientId, tokenUrl } = auth;
  const secret = secretSealed === null ? null : secrets.open(secretSealed, aboutSecret(id, { clientId, tokenUrl }));
  return secret === null ? { client: null, isUnreadable: true } : { client: { secret, tokenUrl }, isUnreadable: false };
}

/** Encrypts a key for the server and the hosts that its row names. */
export function sealKey(secrets: SecretBox, { id, keyHost }: Pick<ToolServerRow, 'id' | 'keyHost'>, key: string): string {
  return secrets.seal(key, aboutKey(id, keyHost ?? ''));
}

/** Returns the key of a server, or null without one. `isUnreadable`: it was encrypted with another secret of this server. */
export function openKey(
  secrets: SecretBox,
  { id, url, auth, keySealed, keyHost }: ToolServerRow,
): { key: string | null; isUnreadable: boolean } {
  if (keySealed === null || url === null || keyHost !== keyHostOf(url, auth)) return { key: null, isUnreadable: false };
  const key = secrets.open(keySealed, aboutKey(id, keyHost));
  return { key, isUnreadable: key === null };
}

function split(given: GivenAuth): { auth: ToolServerAuth; key: string | undefined } {
  switch (given.kind) {
    case 'none':
      return { auth: { kind: 'none' }, key: undefined };
    case 'key':
      return { auth: { kind: 'key', header: given.header }, key: given.key };
    case 'client': {
      const { clientId, tokenUrl, scope, secret } = given;
      return { auth: { kind: 'client', clientId, tokenUrl, scope }, key: secret };
    }
    case 'account': {
      const { clientId, scope, tokenUrl } = given;
      return { auth: { kind: 'account', clientId, scope, ...(tokenUrl !== undefined && { tokenUrl }) }, key: undefined };
    }
  }
}

/** The row and the hosts that a key is encrypted for. */
function aboutKey(id: string, host: string): string {
  return `tool_servers.${id} ${host}`;
}

/** The row, the client and the address that a client's secret is encrypted for. */
function aboutSecret(id: string, { clientId, tokenUrl }: { clientId: string; tokenUrl: string }): string {
  return `tool_servers.${id}.secret ${tokenUrl} ${clientId}`;
}
