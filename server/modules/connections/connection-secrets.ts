import { z } from 'zod';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { modelHost } from './model-host.ts';
import type { connections } from './tables.ts';

type Row = typeof connections.$inferSelect;
type SecretColumns = Pick<Row, 'keySealed' | 'keyLast4' | 'keyHost' | 'headerNames' | 'headersSealed'>;
type SecretBinding = Pick<Row, 'id' | 'provider' | 'address'>;

/** The key and the headers of a connection's calls. `isUnreadable`: they were encrypted with another secret of this server. */
type OpenSecrets = { apiKey: string | null; headers: Record<string, string> | null; isUnreadable: boolean };

const storedHeaders = z.record(z.string(), z.string());

/** The host that a connection's key and headers are sent to. */
export function connectionHost({ provider, address }: Pick<Row, 'provider' | 'address'>): string {
  return modelHost({ providerType: provider, baseUrl: address });
}

/** Encrypts a key and headers for one connection and its host. Neither leaves the server again but in its calls. */
export function sealSecrets(
  secrets: SecretBox,
  place: SecretBinding,
  { apiKey, headers }: Omit<OpenSecrets, 'isUnreadable'>,
): SecretColumns {
  const host = connectionHost(place);
  const hasHeaders = headers !== null && Object.keys(headers).length > 0;
  return {
    keySealed: apiKey === null ? null : secrets.seal(apiKey, aboutKey(place.id, host)),
    keyLast4: apiKey === null ? null : lastFour(apiKey),
    keyHost: apiKey === null && !hasHeaders ? null : host,
    headerNames: hasHeaders ? Object.keys(headers) : [],
    headersSealed: hasHeaders ? secrets.seal(JSON.stringify(headers), aboutHeaders(place.id, host)) : null,
  };
}

/** Decrypts what was stored for the present host of a connection; what was stored for another one is not used. */
export function openSecrets(secrets: SecretBox, row: SecretBinding & Pick<Row, 'keySealed' | 'keyHost' | 'headersSealed'>): OpenSecrets {
  const host = connectionHost(row);
  if (row.keyHost !== host) return { apiKey: null, headers: null, isUnreadable: false };
  const apiKey = row.keySealed === null ? null : secrets.open(row.keySealed, aboutKey(row.id, host));
  const headers = row.headersSealed === null ? null : secrets.open(row.headersSealed, aboutHeaders(row.id, host));
  const isUnreadable = (row.keySealed !== null && apiKey === null) || (row.headersSealed !== null && headers === null);
  return { apiKey, headers: headers === null ? null : storedHeaders.parse(JSON.parse(headers)), isUnreadable };
}

function aboutKey(id: string, host: string): string {
  return `connection-key:${id}:${host}`;
}

function aboutHeaders(id: string, host: string): string {
  return `connection-headers:${id}:${host}`;
}

/** The last four characters are shown of long keys only: of a short key they would reveal too much. */
export function lastFour(apiKey: string): string {
  return apiKey.length >= 12 ? apiKey.slice(-4) : '';
}
