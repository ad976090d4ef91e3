import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutTrailingSlashes } from '../../../contract/without-trailing-slashes.ts';
import { cutAtWord } from '../../../rules/simulated/task-words.ts';
import { takeLines } from '../../../scripts/client-build/take-lines.ts';
import { addressedPage } from '../../../server/http/pages/addressed-page.ts';
import { inlineScripts } from '../../../server/http/pages/client-pages.ts';
import { isRepeated } from '../../../server/modules/auth/password-rule.ts';
import { plainReason } from '../../../server/plain-reason.ts';
import { browserName } from '../../../src/app/login/browser-name.ts';
import { excerpt } from '../../../src/app/workspace/markdown/excerpt.ts';

/** Short texts of few pieces, so that they often match. */
const textOf = (...pieces: string[]) => fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));

describe('the scanners that replaced backtracking expressions return the same', () => {
  test('the scanner of slashes at the end returns the same as the regular expression', () => {
    fc.assert(
      fc.property(textOf('/', 'a', '\n'), (text) => {
        expect(withoutTrailingSlashes(text)).toBe(text.replace(/\/+$/, ''));
      }),
    );
  });

  test('the scanner of a repeated group returns the same as the regular expression', () => {
    fc.assert(
      fc.property(textOf('a', 'b', '😀', '\n'), (text) => {
        expect(isRepeated(text)).toBe(/^(.{1,4})\1+$/su.test(text));
      }),
    );
  });

  test('the scanner of a reason on one line returns the same as the regular expression', () => {
    const pieces = textOf('a', ' ', '\n', '\t', 'b');
    fc.assert(
      fc.property(pieces, (text) => {
        expect(plainReason(new Error(`x${text}`))).toBe(`x${text}`.trim().replace(/\s*\n\s*/g, ' '));
      }),
    );
  });

  test('the scanner of scripts in a page returns the same as the regular expression', () => {
    const old = (page: string) => [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script);
    fc.assert(
      fc.property(textOf('<script>', '</script>', 'a', '\n'), (page) => {
        expect(inlineScripts(page)).toEqual(old(page));
      }),
    );
  });

  test('the scanner that cuts a text at a word returns the same as the regular expression', () => {
    const pieces = textOf('word', ' ', ',', '–', ';');
    fc.assert(
      fc.property(pieces, (text) => {
        const head = text.slice(0, 8);
        const space = head.lastIndexOf(' ');
        const cut = `${(space > 4 ? head.slice(0, space) : head).replace(/[\s,;:–-]+$/, '')}…`;
        expect(cutAtWord(text, 8)).toBe(text.length <= 8 ? text : cut);
      }),
    );
  });

  test('the scanner of addresses in a head returns the same as the regular expression', () => {
    const named = /(<(?:link rel="alternate"|meta property="og:image")[^>]* (?:href|content)=")(\/[^"]*)"/g;
    const own = /(<(?:link rel="canonical"|meta property="og:url")[^>]* (?:href|content)=")[^"]*"/g;
    const old = (page: string) => page.replace(named, '$1https://a.example$2"').replace(own, '$1https://a.example/p"');
    const elements = textOf(
      '<link rel="alternate" hreflang="ru" href="/?lang=ru" />',
      '<link rel="alternate" href="https://b.example/" />',
      '<meta property="og:image" content="/x.png" />',
      '<link rel="canonical" href="/" />',
      '<meta property="og:url" content="" />',
      '<meta property="og:title" content="/a" />',
      '\n',
    );
    fc.assert(
      fc.property(elements, (page) => {
        expect(addressedPage(page, 'https://a.example', '/p')).toBe(old(page));
      }),
    );
  });

  test('the scanner of lines that begin with an element returns the same as the regular expression', () => {
    const page = '<head>\n  <title>a</title>\n    <link rel="x" />\n  text <title>\n</head>\n';
    expect(takeLines(page, ['<title', '<link'])).toEqual({
      rest: '<head>\n  text <title>\n</head>\n',
      taken: ['<title>a</title>', '<link rel="x" />'],
    });
  });

  test('the scanner of the Safari version returns the same as the regular expression, also where Safari is not named', () => {
    expect(browserName('Mozilla/5.0 (Macintosh) Version/26.1 Safari/605.1.15')).toBe('Safari 26');
    expect(browserName('Opera/9.80 Version/12.16')).toBeNull();
  });

  test('the scanner of links in an excerpt returns the same as the regular expression', () => {
    expect(excerpt('See [the plan](https://a.example/x) and ![a picture](b.png).')).toBe('See the plan and a picture.');
    expect(excerpt('[a [b](c)')).toBe('[a b');
  });
});
