import type { ProviderType } from '../../../contract/agent.ts';
import { withoutTrailingSlashes } from '../../../contract/without-trailing-slashes.ts';

/** The path of each provider's API at a host that is pasted without one. */
const homes: Partial<Record<ProviderType, string>> = { google: '/v1beta', azure: '/openai/v1', openrouter: '/api/v1', gigachat: '/api/v1' };

/** Endpoints at the end of a pasted address. */
const endpoint = /\/(?:chat\/completions|completions|responses|messages|models\/[^/]+:\w+|api\/(?:chat|generate|tags)|api\/v0)$/;
const list = /\/models$/;

/**
 * Returns the address of an API from what a person has pasted: with or without its version, with a complete endpoint, with a query. The query stays
 * behind the path. The same for its own result. Null for what is no address of http, and for one with a name or password.
 * @example addressOf('openai', 'https://llm.example/v1/chat/completions?key=1') // 'https://llm.example/v1?key=1'
 */
export function addressOf(provider: ProviderType, pasted: string): string | null {
  const url = URL.parse(pasted.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  let path = withoutTrailingSlashes(url.pathname);
  for (let longer = ''; longer !== path; ) {
    longer = path;
    path = withoutTrailingSlashes(path.replace(endpoint, ''));
    // Azure serves models of other companies below this path.
    if (provider !== 'azure') path = withoutTrailingSlashes(path.replace(list, ''));
  }
  url.pathname = path === '' ? (homes[provider] ?? '/v1') : path;
  url.hash = '';
  return url.href;
}

/** Returns the address of an endpoint, with the query of its API behind it. */
export function endpointOf(address: string, path: string): string {
  const url = new URL(address);
  url.pathname = withoutTrailingSlashes(url.pathname) + path;
  return url.href;
}
