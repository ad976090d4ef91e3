import { withoutTrailingSlashes } from '../../contract/without-trailing-slashes.ts';

export type Values = Record<string, unknown>;

/** Returns the URL of a call: the base, the path with its parameters, and a query without null and undefined values. P7.01 */
export function callUrl(base: string, path: string, params: Values = {}, query: Values = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || value === '') throw new Error(`The call to ${path} needs "${name}"`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return `${withoutTrailingSlashes(base)}${filled}${text ? `?${text}` : ''}`;
}
