/** Ends of addresses that people paste from examples of calls: what stands before them is the API. */
const endpoints = /\/(?:chat\/completions|completions|responses|messages|embeddings|models)$/;
const version = /\/v\d+(?:beta\d*|alpha\d*)?$/;

/** The address of an API as it was pasted, taken apart. */
export type ApiAddress = { origin: string; path: string; search: string };

/** Returns an address without the endpoint of a call. Its query stays. */
export function apiAddress(given: string): ApiAddress {
  const { origin, pathname, search } = new URL(given);
  let path = pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return { origin, path: path.replace(endpoints, ''), search };
}

/** Returns the address of a resource of an API: behind its path, before its query. */
export function resource({ origin, path, search }: ApiAddress, name: string, fields: Record<string, string> = {}): string {
  const url = new URL(`${origin}${path}${name}${search}`);
  for (const [field, value] of Object.entries(fields)) url.searchParams.set(field, value);
  return url.href;
}

/** The same server without a version in the path: for APIs of its own beside the compatible one. */
export function withoutVersion(address: ApiAddress): ApiAddress {
  return { ...address, path: address.path.replace(version, '') };
}

/** The same address with a version, unless it has one. */
export function withVersion(address: ApiAddress, usual: string): ApiAddress {
  return version.test(address.path) ? address : { ...address, path: `${address.path}${usual}` };
}

/** Where the list of a compatible server may be: at the address itself, or below the usual version. */
export function listPlaces(address: ApiAddress): string[] {
  const here = resource(address, '/models');
  return version.test(address.path) ? [here] : [resource(address, '/v1/models'), here];
}
