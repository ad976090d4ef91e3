import type { ToolSignInEnd } from '../../../../contract/tool-server.ts';

type SignInReturn = {
  projectId: string;
  serverId: string;
  /** Null where the sign-in page has refused. */
  end: ToolSignInEnd | null;
};

/** Returns what a sign-in page has sent back by the address; null for any other address. The state names the project and the server. */
export function signInReturn(search: string | URLSearchParams): SignInReturn | null {
  const params = new URLSearchParams(search);
  const state = params.get('state') ?? '';
  const [mark, projectId, serverId, secret] = state.split('.');
  if (mark !== 'tools' || !projectId || !serverId || !secret) return null;
  const code = params.get('code');
  const iss = params.get('iss');
  return { projectId, serverId, end: code ? { state, code, ...(iss !== null && { iss }) } : null };
}
