import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** The button or link that is given a name, and its content up to its end. */
const named = /<(?<tag>button|Button|a|Link)\b(?:(?!<\/).)*?aria-label=\{t\('(?<name>[\w.-]+)'(?<rest>.*?)<\/\k<tag>>/gs;

test('D9.08 the name of a button for screen readers and voice control holds the words that are seen on it', () => {
  const wrong = globSync('src/**/*.tsx', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const areas = [...text.matchAll(/const \{ t\b[^}]*\} = useTranslation\('([\w-]+)'\)/g)].map(([, area = '']) => area);
    return [...text.matchAll(named)].flatMap(({ groups: { name = '', rest = '' } = {} }) => {
      // Another element lies between: the name is not this one's.
      if (/<(button|Button|a|Link|IconButton)\b|aria-label/.test(rest)) return [];
      const seen = [...rest.matchAll(/\{t\('([\w.-]+)'\)\}/g)].map(([, key = '']) => key);
      return seen.flatMap((key) => areas.flatMap((area) => mismatches(area, name, key).map((words) => `${file}: ${words}`)));
    });
  });
  expect(wrong).toEqual([]);
});

function mismatches(area: string, name: string, seen: string): string[] {
  return ['ru', 'en'].flatMap((language) => {
    const texts: unknown = JSON.parse(readFileSync(join(root, 'locales', language, `${area}.json`), 'utf8'));
    const [told, shown] = [sentence(texts, name), sentence(texts, seen)];
    return told === null || shown === null || told.toLowerCase().includes(shown.toLowerCase()) ? [] : [`“${told}” lacks “${shown}”`];
  });
}

function sentence(texts: unknown, key: string): string | null {
  let found = texts;
  for (const part of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[part];
  return typeof found === 'string' ? found : null;
}
