import type { ApiConfiguration } from '../../../contract/agent.ts';
import type { ToldPrices } from '../../platform/llm/choose-model.ts';
import { providerAddresses } from '../../platform/llm/provider-addresses.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { openSecrets } from './connection-secrets.ts';
import type { OperatorConnection } from './operator-connections.ts';
import type { connections } from './tables.ts';

/** The columns of a connection that its calls need. */
export const callColumns = [
  ...(['id', 'provider', 'address', 'folderId', 'keySealed', 'keyHost', 'headersSealed', 'extraBody', 'toldPrices'] as const),
];
export type CallRow = Pick<typeof connections.$inferSelect, (typeof callColumns)[number]>;

/** Where calls of a connection go, and with what. The key and the headers are decrypted; never log them. */
export type ConnectionSettings = {
  providerType: ApiConfiguration['providerType'];
  baseUrl: string | null;
  folderId: string | null;
  apiKey: string | null;
  /** Further headers and fields of the body; absent without a connection of the user's. */
  connection?: { headers: Record<string, string>; extraBody: Record<string, unknown> | null };
  /** What the connection's list tells of prices, by the models' names. */
  toldPrices?: ToldPrices;
  keyUndecryptable: boolean;
};

/** An address always: a connection without a key must not be answered by the operator's account, nor by the simulated model. */
export function settingsOfConnection(secrets: SecretBox, row: CallRow): ConnectionSettings {
  const { apiKey, headers, isUnreadable } = openSecrets(secrets, row);
  return {
    providerType: row.provider,
    baseUrl: row.address ?? providerAddresses[row.provider],
    folderId: row.folderId,
    apiKey,
    connection: { headers: headers ?? {}, extraBody: row.extraBody },
    ...(row.toldPrices && { toldPrices: row.toldPrices }),
    keyUndecryptable: isUnreadable,
  };
}

/** The operator's account is chosen by the provider, without key and address. */
export function settingsOfOperator({ provider }: OperatorConnection): ConnectionSettings {
  return { providerType: provider, baseUrl: null, folderId: null, apiKey: null, keyUndecryptable: false };
}
