import type { ModelConnection } from '../../../contract/model-connection.ts';
import { addressOf, endpointOf } from '../llm/address-of.ts';

type Provider = ModelConnection['provider'];

const version = /\/v\d+(?:beta\d*|alpha\d*)?$/;

/** Returns the address of a resource of an API, with the fields behind its query. `pasted` is an address that was checked when it was saved. */
export function resource(provider: Provider, pasted: string, path: string, fields: Record<string, string> = {}): string {
  const url = new URL(endpointOf(addressOf(provider, pasted) ?? pasted, path));
  for (const [field, value] of Object.entries(fields)) url.searchParams.set(field, value);
  return url.href;
}

/** Returns the address of a server's own API, beside the compatible one with a version in its path. */
export function ownResource(provider: Provider, pasted: string, path: string): string {
  const url = new URL(addressOf(provider, pasted) ?? pasted);
  url.pathname = url.pathname.replace(version, '');
  return endpointOf(url.href, path);
}
