import type { z } from 'zod';
import type { ToolServerAuth, toolServerCreation } from '../../../contract/tool-server.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ToolServerRow } from './repository.ts';

export type GivenAuth = z.output<typeof toolServerCreation>['auth'];
export type KeyColumns = Pick<ToolServerRow, 'auth' | 'keySealed' | 'keyLast4' | 'keyHost'>;

/** The hosts that a key or a secret reaches: the tool server itself, and the token server of an OAuth client. */
export function keyHostOf(url: string, auth: ToolServerAuth): string {
  const origins = auth.kind === 'client' ? [new URL(auth.tokenUrl).origin, new URL(url).origin] : [new URL(url).origin];
  return `${auth.kind} ${origins.join(' ')}`;
}

/** Returns the columns of a server's authentication: a key is encrypted for its server and hosts, and goes when one of them changes. */
export function keyColumns(secrets: SecretBox, id: string, url: string, given: GivenAuth, before: KeyColumns | null): KeyColumns {
  const { auth, key } = split(given);
  const host = keyHostOf(url, auth);
  if (auth.kind !== 'none' && key !== undefined)
    return { auth, keySealed: secrets.seal(key, aboutKey(id, host)), keyLast4: key.length >= 12 ? key.slice(-4) : '', keyHost: host };
  if (auth.kind !== 'none' && before?.keySealed && before.keyHost === host)
    return { auth, keySealed: before.keySealed, keyLast4: before.keyLast4, keyHost: host };
  return { auth, keySealed: null, keyLast4: null, keyHost: null };
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
  }
}

/** The row and the hosts that a key is encrypted for. */
function aboutKey(id: string, host: string): string {
  return `tool_servers.${id} ${host}`;
}
