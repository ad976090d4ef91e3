import { expect, test } from 'vitest';
import { robots, sitemap } from '../../../server/http/findable.ts';

test('R01.01 search engines are told of the public pages, and of the landing page in each language', () => {
  const map = sitemap('https://artel.example');
  for (const address of ['/', '/?lang=ru', '/?lang=en', '/public-test', '/privacy-policy']) {
    expect(map).toContain(`https://artel.example${address}`);
  }
  expect(robots('https://artel.example')).toContain('Sitemap: https://artel.example/sitemap.xml');
  expect(robots('https://artel.example')).toContain('Disallow: /test-project');
});
