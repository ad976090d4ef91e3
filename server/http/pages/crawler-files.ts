import type { FastifyInstance } from 'fastify';

const languages = ['ru', 'en'] as const;

/** Serves `robots.txt` and the sitemap, both with the server's public address. */
export function serveCrawlerFiles(app: FastifyInstance, address: () => string): void {
  app.get('/robots.txt', (_, reply) => reply.type('text/plain; charset=utf-8').send(robots(address())));
  app.get('/sitemap.xml', (_, reply) => reply.type('application/xml; charset=utf-8').send(sitemap(address())));
}

/** Allows crawlers on the public pages, and forbids the others. */
export function robots(address: string): string {
  const closed = ['/api/', '/test-project', '/leads', '/dead-letters', '/reset-password', '/verify-email', '/q/'].map(
    (path) => `Disallow: ${path}`,
  );
  return ['User-agent: *', ...closed, '', `Sitemap: ${address}/sitemap.xml`, ''].join('\n');
}

/** The public pages, each with its address in each language. */
export function sitemap(address: string): string {
  const pages = ['/', '/public-test', '/privacy-policy'].map((path) => entry(`${address}${path}`));
  const spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${spaces}>${pages.join('')}</urlset>\n`;
}

function entry(page: string): string {
  const alternates = [
    ...languages.map((language) => `<xhtml:link rel="alternate" hreflang="${language}" href="${page}?lang=${language}"/>`),
    `<xhtml:link rel="alternate" hreflang="x-default" href="${page}"/>`,
  ];
  return `<url><loc>${page}</loc>${alternates.join('')}</url>`;
}
