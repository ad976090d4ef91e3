import type { Egress } from '../../platform/egress/egress.ts';
import type { ClientTokens } from '../../platform/mcp/client-tokens.ts';
import { McpFailed } from '../../platform/mcp/mcp-failed.ts';
import type { McpSession } from '../../platform/mcp/mcp-session.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ToolServerRow } from './repository.ts';
import { openKey } from './server-key.ts';

export type ConnectDeps = { egress: Egress; tokens: ClientTokens; secrets: SecretBox };

/** Opens sessions of tool servers. Throws `McpFailed`, or the signal's reason. */
export function createServerConnections({ egress, tokens, secrets }: ConnectDeps) {
  const overHttp = async (url: string, headers: Record<string, string>, signal: AbortSignal) => {
    // The library is loaded with the first session: it would make every start slower.
    const [{ createHttpChannel }, { openMcpSession }] = await Promise.all([
      import('../../platform/mcp/http-channel.ts'),
      import('../../platform/mcp/mcp-session.ts'),
    ]);
    return openMcpSession(createHttpChannel({ url, headers, egress }), signal);
  };

  return async (server: ToolServerRow, signal: AbortSignal): Promise<McpSession> => {
    const { id, url, auth } = server;
    if (url === null) throw new McpFailed('process');
    const { key, isUnreadable } = openKey(secrets, server);
    if (isUnreadable) throw new McpFailed('key_unreadable');
    if (auth.kind === 'none' || key === null) return overHttp(url, {}, signal);
    if (auth.kind === 'key') return overHttp(url, { [auth.header]: headerValue(auth.header, key) }, signal);
    const { clientId, tokenUrl, scope } = auth;
    const client = { tokenUrl, clientId, scope, secret: key, resource: url };
    const name = `${id} ${server.keySealed} ${clientId} ${scope} ${url}`;
    const withToken = async (isFresh: boolean) =>
      overHttp(url, { authorization: `Bearer ${await tokens.get(name, client, signal, isFresh)}` }, signal);
    try {
      return await withToken(false);
    } catch (error) {
      // A kept token may have been withdrawn.
      if (error instanceof McpFailed && error.reason === 'unauthorized') return withToken(true);
      throw error;
    }
  };
}

export type ConnectServer = ReturnType<typeof createServerConnections>;

/** In `Authorization` a key without a scheme of its own is a bearer token. */
function headerValue(header: string, key: string): string {
  return header.toLowerCase() === 'authorization' && !key.includes(' ') ? `Bearer ${key}` : key;
}
