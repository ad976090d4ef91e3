import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../../src');
const sheets = globSync('**/*.css', { cwd: source }).map((file) => ({ file, css: readFileSync(join(source, file), 'utf8') }));

describe('the stylesheets', () => {
  test('the stylesheets take every font size from the type scale of the tokens', () => {
    // A size of 0 hides the words of a brand on a very small screen.
    const literal = /^\s*font-size: (?!var\(--(?:text|title)-|0;).*$/gm;
    const found = sheets.flatMap(({ file, css }) => (css.match(literal) ?? []).map((line) => `${file}: ${line.trim()}`));
    expect(found).toEqual([]);
  });

  test('the stylesheets name no size that the type scale lacks', () => {
    const named = sheets.flatMap(({ css }) => [...css.matchAll(/var\((--(?:text|title)-[\w-]+)\)/g)].map(([, name]) => name));
    const tokens = sheets.find(({ file }) => file === join('ui', 'tokens.css'))?.css ?? '';
    expect([...new Set(named)].filter((name) => !tokens.includes(`${name}:`))).toEqual([]);
  });

  test('compose only patterns that exist, and every pattern is composed', () => {
    const layers = sheets.filter(({ css }) => css.includes('@layer patterns {')).map(({ css }) => css);
    const patterns = layers.flatMap((css) => [...css.matchAll(/^ {2}\.([\w-]+) \{$/gm)].map(([, name]) => name));
    const composed = sheets.flatMap(({ css }) =>
      [...css.matchAll(/composes: ([\w\s-]+) from global;/g)].flatMap(([, names = '']) => names.split(' ')),
    );
    expect([...new Set(composed)].toSorted()).toEqual(patterns.toSorted());
  });
});
