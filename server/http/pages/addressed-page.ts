/** Elements of a page's head that contain its public address, for search engines and link previews. */
const named = ['<link rel="alternate"', '<meta property="og:image"'];
const own = ['<link rel="canonical"', '<meta property="og:url"'];
const attributes = [' href="', ' content="'];

/** Returns a page as the server sends it: with `origin` before the addresses in its head, and `path` as its own address. */
export function addressedPage(page: string, origin: string, path: string): string {
  return page.replace(/<(?:link|meta) [^<>]*>/g, (element) => {
    const begins = (start: string) => element.startsWith(start);
    if (named.some(begins)) return withAddress(element, (address) => (address.startsWith('/') ? `${origin}${address}` : address));
    if (own.some(begins)) return withAddress(element, () => `${origin}${path}`);
    return element;
  });
}

function withAddress(element: string, change: (address: string) => string): string {
  const start = Math.max(...attributes.map((attribute) => endOf(element, attribute)));
  const end = start < 0 ? -1 : element.indexOf('"', start);
  return end < 0 ? element : `${element.slice(0, start)}${change(element.slice(start, end))}${element.slice(end)}`;
}

function endOf(element: string, attribute: string): number {
  const at = element.lastIndexOf(attribute);
  return at < 0 ? -1 : at + attribute.length;
}
