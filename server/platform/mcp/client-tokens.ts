import { z } from 'zod';
import type { Egress } from '../egress/egress.ts';
import { McpFailed } from './mcp-failed.ts';

/** A client of OAuth whose token server a person has entered: a tool server cannot name another one. */
type OAuthClient = { tokenUrl: string; clientId: string; secret: string; scope: string; resource: string };

/** A token is replaced this long before its end (s), and lives this long where the server does not say (s). */
const earlySeconds = 30;
const usualSeconds = 300;
const maxKept = 10_000;

const response = z.object({
  access_token: z
    .string()
    .min(1)
    .max(16_000)
    .regex(/^[!-~]+$/),
  expires_in: z.coerce.number().catch(usualSeconds),
});

/** Gets and keeps access tokens by the grant `client_credentials`, in memory only. */
export function createClientTokens({ egress, now }: { egress: Egress; now: () => number }) {
  const kept = new Map<string, { token: string; until: number }>();

  const request = async ({ tokenUrl, clientId, secret, scope, resource }: OAuthClient, signal: AbortSignal) => {
    const fields = { grant_type: 'client_credentials', resource, ...(scope !== '' && { scope }) };
    try {
      const answer = await egress(tokenUrl, {
        method: 'POST',
        headers: {
          authorization: basicCredentials(clientId, secret),
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          'user-agent': 'Artel',
        },
        body: new URLSearchParams(fields).toString(),
        signal,
      });
      // The body of a refusal is read too: the connection is free then.
      const text = await answer.text();
      const parsed = response.safeParse(answer.ok ? JSON.parse(text) : null);
      if (!parsed.success) throw new McpFailed('token', { said: `HTTP ${answer.status}` });
      return parsed.data;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof McpFailed ? error : new McpFailed('token', { cause: error });
    }
  };

  return {
    /** Returns a token, a kept one unless `isFresh`. `key` names client and secret. Throws `McpFailed`. */
    async get(key: string, client: OAuthClient, signal: AbortSignal, isFresh = false): Promise<string> {
      const known = kept.get(key);
      if (known && !isFresh && known.until > now()) return known.token;
      const { access_token: token, expires_in: seconds } = await request(client, signal);
      if (kept.size >= maxKept) kept.clear();
      kept.set(key, { token, until: now() + Math.max(0, Math.min(seconds, 86_400) - earlySeconds) * 1_000 });
      return token;
    },
  };
}

/** Returns the value of `Authorization` for a client with a secret, both encoded as RFC 6749 says. */
export function basicCredentials(clientId: string, secret: string): string {
  const encoded = [clientId, secret].map((part) => encodeURIComponent(part)).join(':');
  return `Basic ${Buffer.from(encoded).toString('base64')}`;
}

export type ClientTokens = ReturnType<typeof createClientTokens>;
