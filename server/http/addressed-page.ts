/** The elements of a head that name an address to those who read the page elsewhere: search engines, and who shows a link to it. */
const named = /(<(?:link rel="alternate"|meta property="og:image")[^>]* (?:href|content)=")(\/[^"]*)"/g;
const own = /(<(?:link rel="canonical"|meta property="og:url")[^>]* (?:href|content)=")[^"]*"/g;

/** A page of the client as the server sends it: `origin` before the addresses in its head, and `path` as the page's own. */
export function addressedPage(page: string, origin: string, path: string): string {
  return page
    .replace(named, (_, before: string, address: string) => `${before}${origin}${address}"`)
    .replace(own, (_, before: string) => `${before}${origin}${path}"`);
}
