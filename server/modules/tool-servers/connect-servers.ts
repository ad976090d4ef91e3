import type { Egress } from '../../platform/egress/egress.ts';
import type { ClientTokens } from '../../platform/mcp/client-tokens.ts';
import { McpFailed } from '../../platform/mcp/mcp-failed.ts';
import type { McpSession } from '../../platform/mcp/mcp-session.ts';
import type { OperatorServer } from '../../platform/mcp/operator-servers.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { ToolServerRow } from './repository.ts';
import { openKey } from './server-key.ts';

type ConnectDeps = {
  egress: Egress;
  tokens: ClientTokens;
  accounts: AccountTokens;
  secrets: SecretBox;
  /** The operator's servers, by name. */
  operatorServers: ReadonlyMap<string, OperatorServer>;
  /** Returns the account that a project belongs to; null for a project that was removed. */
  ownerOf: (projectId: string) => Promise<string | null>;
};

/** The most processes of tool servers at the same time, on this node and of one account. */
const maxProcesses = 32;
const maxProcessesOfAccount = 8;

/** Opens sessions of tool servers. Throws `McpFailed`, or the signal's reason. */
export function createServerConnections({ egress, tokens, accounts, secrets, operatorServers, ownerOf }: ConnectDeps) {
  const processes = new Map<string, number>();
  const count = (account: string, change: 1 | -1) => {
    const left = (processes.get(account) ?? 0) + change;
    if (left === 0) processes.delete(account);
    else processes.set(account, left);
  };

  const ofOperator = async ({ projectId, name }: ToolServerRow, signal: AbortSignal): Promise<McpSession> => {
    const entry = operatorServers.get(name);
    if (!entry) throw new McpFailed('process');
    const account = await ownerOf(projectId);
    if (account === null) throw new McpFailed('process');
    signal.throwIfAborted();
    const all = [...processes.values()].reduce((sum, one) => sum + one, 0);
    if (all >= maxProcesses || (processes.get(account) ?? 0) >= maxProcessesOfAccount) throw new McpFailed('busy');
    count(account, 1);
    const [{ createProcessChannel }, { openMcpSession }] = await Promise.all([
      import('../../platform/mcp/process-channel.ts'),
      import('../../platform/mcp/mcp-session.ts'),
    ]);
    const channel = await createProcessChannel(entry).catch((cause: unknown) => {
      count(account, -1);
      throw new McpFailed('process', { cause });
    });
    const close = channel.close.bind(channel);
    let isClosed = false;
    channel.close = async () => {
      await close();
      if (!isClosed) count(account, -1);
      isClosed = true;
    };
    return openMcpSession(channel, signal);
  };

  type Headers = Record<string, string>;
  const overHttp = async (url: string, headers: Headers, signal: AbortSignal, renew?: () => Promise<Headers>) => {
    // The library is loaded with the first session: it would make every start slower.
    const [{ createHttpChannel }, { openMcpSession }] = await Promise.all([
      import('../../platform/mcp/http-channel.ts'),
      import('../../platform/mcp/mcp-session.ts'),
    ]);
    return openMcpSession(createHttpChannel({ url, headers, egress, ...(renew && { renew }) }), signal);
  };

  const withAccount = async (server: ToolServerRow, url: string, signal: AbortSignal): Promise<McpSession> => {
    let token = await accounts(server, null);
    const renew = async () => {
      token = await accounts(server, token);
      return bearer(token);
    };
    return overHttp(url, bearer(token), signal, renew);
  };

  return async (server: ToolServerRow, signal: AbortSignal): Promise<McpSession> => {
    const { id, url, auth } = server;
    if (url === null) return ofOperator(server, signal);
    if (auth.kind === 'account') return withAccount(server, url, signal);
    const { key, isUnreadable } = openKey(secrets, server);
    if (isUnreadable) throw new McpFailed('key_unreadable');
    if (auth.kind === 'none' || key === null) return overHttp(url, {}, signal);
    if (auth.kind === 'key') return overHttp(url, { [auth.header.toLowerCase()]: headerValue(auth.header, key) }, signal);
    const { clientId, tokenUrl, scope } = auth;
    const client = { tokenUrl, clientId, scope, secret: key, resource: url };
    const name = `${id} ${server.keySealed} ${clientId} ${scope} ${url}`;
    // A kept token may have been withdrawn.
    const renew = async () => bearer(await tokens.get(name, client, signal, true));
    return overHttp(url, bearer(await tokens.get(name, client, signal)), signal, renew);
  };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

export type ConnectServer = ReturnType<typeof createServerConnections>;

/** In `Authorization` a key without a scheme of its own is a bearer token. */
function headerValue(header: string, key: string): string {
  return header.toLowerCase() === 'authorization' && !key.includes(' ') ? `Bearer ${key}` : key;
}
