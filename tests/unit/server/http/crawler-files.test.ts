import { expect, test } from 'vitest';
import { robots, sitemap } from '../../../../server/http/pages/crawler-files.ts';

test('R01.01 search engines get a list of the public pages, of each in each language', () => {
  const map = sitemap('https://artel.example');
  for (const page of ['/', '/public-test', '/privacy-policy']) {
    expect(map).toContain(`<loc>https://artel.example${page}</loc>`);
    for (const address of [`${page}?lang=ru`, `${page}?lang=en`, page]) expect(map).toContain(`href="https://artel.example${address}"`);
  }
  expect(robots('https://artel.example')).toContain('Sitemap: https://artel.example/sitemap.xml');
  expect(robots('https://artel.example')).toContain('Disallow: /test-project');
  expect(robots('https://artel.example')).toContain('Disallow: /q/');
});
