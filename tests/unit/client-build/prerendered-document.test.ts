import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prerenderedDocument } from '../../../scripts/client-build/prerendered-document.ts';
import { addressedPage } from '../../../server/http/pages/addressed-page.ts';

const shell = readFileSync(join(import.meta.dirname, '../../../index.html'), 'utf8');
const boot = "document.title = '$&';";
const begin = "document.title = '$1';";
const english = {
  language: 'en' as const,
  title: 'A "team" & more · Artel',
  description: 'What it does <at once>.',
  site: 'Artel',
  markup: '<main>$& costs $1</main>',
  styles: [{ href: '/assets/a.css', css: '.a{color:red}\n' }],
  scripts: ['/assets/b.js'],
  boot,
  begin,
  path: '/',
  open: true,
  place: 'root' as const,
};

test('R01.01 the prerendered landing page says everything in one language and holds its markup and its styles', () => {
  const html = prerenderedDocument(shell, english);
  expect(html).toContain('<html lang="en"');
  expect(html).toContain('<div id="root" data-language="en"><main>$& costs $1</main></div>');
  expect(html).toContain('<style>.a{color:red}</style>');
  expect(html.match(/<title>.*<\/title>/g)).toEqual(['<title>A &quot;team&quot; &amp; more · Artel</title>']);
  expect(html.match(/name="description".*/g)).toEqual(['name="description" content="What it does &lt;at once>." />']);
  expect(html.match(/property="og:locale[^>]*/g)).toEqual([
    ...['property="og:locale" content="en_US" /', 'property="og:locale:alternate" content="ru_RU" /'],
  ]);
  expect(html).not.toMatch(/[а-яё]/i);
});

test('R01.01 nothing of the prerendered page is loaded twice, and its scripts and fonts wait until it has been drawn', () => {
  const fetched = '@font-face{font-family:Inter;src:url(/assets/inter.woff2)}';
  const own = '@font-face{font-family:Inter Fallback;src:local(Arial)}@font-face{font-family:Mono;src:url(data:font/woff2;base64,AA==)}';
  const html = prerenderedDocument(shell, { ...english, styles: [{ href: '/assets/a.css', css: `${own}${fetched}.a{color:red}\n` }] });
  expect(html).toContain(`<style>${own}.a{color:red}</style>`);
  expect(html.match(/<link rel="stylesheet"[^>]*/g)).toEqual(['<link rel="stylesheet" href="/assets/a.css" disabled /']);
  const later = /<template id="later">(.*)<\/template>/.exec(html)?.[1] ?? '';
  expect(later).toContain(`<style>${fetched}</style>`);
  // Without scripts the page uses its own fonts too.
  expect(/<noscript>(.*)<\/noscript>/.exec(html.slice(0, html.indexOf('</head>')))?.[1]).toBe(`<style>${fetched}</style>`);
  expect(later.match(/(?:src|href)="[^"]*"/g)).toEqual(['src="/src/app/main.tsx"', 'href="/assets/b.js"']);
  const scripts = [...html.replace(later, '').matchAll(/<script([^>]*)>(.*?)<\/script>/gs)];
  expect(scripts.map(([, attributes]) => attributes)).toEqual(['', '']);
  expect(scripts.map(([, , text]) => text)).toEqual([boot, begin]);
  expect(html).not.toContain('/boot.js');
});

test('P2.19 a picture of a page stands beside the root, and names the project that the address names', () => {
  const html = prerenderedDocument(shell, { ...english, path: '/public-test', place: 'still' });
  expect(html).toContain('<div id="root"></div><div id="still" data-language="en"><main>$& costs $1</main></div><script>');
  expect(html).toContain(".get('projectId')");
});

test('R01.01 the server puts its own address before those in a head, and nowhere else', () => {
  const page = addressedPage(prerenderedDocument(shell, english), 'https://artel.example', '/?lang=en');
  const hrefOf = (start: string) => new RegExp(`<${start}[^>]* (?:href|content)="([^"]*)"`).exec(page)?.[1];
  expect(hrefOf('link rel="canonical"')).toBe('https://artel.example/?lang=en');
  expect(hrefOf('meta property="og:url"')).toBe('https://artel.example/?lang=en');
  expect(hrefOf('link rel="alternate" hreflang="ru"')).toBe('https://artel.example/?lang=ru');
  expect(hrefOf('link rel="alternate" hreflang="x-default"')).toBe('https://artel.example/');
  expect(hrefOf('meta property="og:image"')).toBe('https://artel.example/share.png');
  expect(page.match(/https:\/\/artel\.example/g)).toHaveLength(6);
});

test('a build without the places that the page is put into is refused', () => {
  expect(() => prerenderedDocument(shell.replace('id="root"', 'id="app"'), english)).toThrow('<div id="root">');
});
