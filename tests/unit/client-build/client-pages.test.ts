import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientPage, clientPages } from '../../../scripts/client-build/client-pages.ts';
import { translate } from '../../support/browser/translate.ts';

const root = join(import.meta.dirname, '../../..');
const shell = readFileSync(join(root, 'index.html'), 'utf8');
const pages = Object.entries(clientPages);

test.each(pages)(
  'R01.01 the head of /%s speaks one language, and names its address and its twin in the other',
  async (name, { open, unaddressed = false }) => {
    for (const language of ['ru', 'en'] as const) {
      const html = await clientPage(shell, root, name, language);
      const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => text);
      const words = [/<title>(.*?)<\/title>/g, /name="description" content="(.*?)"/g, /property="og:title" content="(.*?)"/g].map(all);
      for (const each of [...words, all(/property="og:description" content="(.*?)"/g), all(/property="og:site_name" content="(.*?)"/g)]) {
        expect(each).toEqual([expect.stringMatching(/\S/)]);
        expect(/[а-яё]/i.test(each[0] ?? '')).toBe(language === 'ru');
      }
      expect(html).toContain(`<html lang="${language}"`);
      const address = `/${name}`;
      expect(all(/rel="canonical" href="(.*?)"/g)).toEqual(unaddressed ? [] : [address]);
      expect(all(/rel="alternate" hreflang=".*?" href="(.*?)"/g)).toEqual(
        unaddressed ? [] : [`${address}?lang=ru`, `${address}?lang=en`, address],
      );
      expect(all(/name="robots" content="(.*?)"/g)).toEqual(open ? [] : ['noindex']);
    }
  },
);

test('R01.01 the titles of the pages in their heads equal the titles set by the client', async () => {
  const titleOf = async (name: string) => /<title>(.*?)<\/title>/.exec(await clientPage(shell, root, name, 'en'))?.[1];
  expect(await titleOf('privacy-policy')).toBe(`${translate('en', 'privacy', 'title')} · Artel`);
  expect(await titleOf('reset-password')).toBe(`${translate('en', 'auth', 'reset.kicker')} · Artel`);
  expect(await titleOf('storage-test')).toBe(`${translate('en', 'developer', 'storage-test.title')} · Artel`);
  expect(await titleOf('test-project')).toBe('Artel');
});

test('P2.01 every address of the client has a head of its own', () => {
  const router = readFileSync(join(root, 'src/app/router.tsx'), 'utf8');
  const addresses = [...router.matchAll(/(?:path="|(?:demo|workspace)Path = ')\/([a-z-]+)(?:\/:token)?["']/g)].map(([, name]) => name);
  const developers = /const testPages = \[(.*?)\]/.exec(router)?.[1]?.match(/[a-z-]+/g) ?? [];
  expect([...addresses, ...developers, '404'].filter((name) => name !== 'landing').toSorted()).toEqual(
    pages.map(([name]) => name).toSorted(),
  );
});
