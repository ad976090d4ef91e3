import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../locales');
const languages = ['ru', 'en'] as const;
type Language = (typeof languages)[number];

const pluralSuffix = /_(zero|one|two|few|many|other)$/;

const areas = areasOf('ru');

test('W9.06 the two languages have the same areas', () => {
  expect(areas.length).toBeGreaterThan(0);
  expect(areasOf('en')).toEqual(areas);
});

describe.each(areas)('%s', (area) => {
  test('W9.06 the two languages have the same keys', () => {
    expect(keysWithoutPlurals('en', area)).toEqual(keysWithoutPlurals('ru', area));
  });

  test('W9.06 every counted text has every plural form of its language', () => {
    for (const language of languages) {
      const forms = new Map<string, Set<string>>();
      for (const key of Object.keys(texts(language, area))) {
        const form = pluralSuffix.exec(key)?.[1];
        if (form) forms.set(key.replace(pluralSuffix, ''), (forms.get(key.replace(pluralSuffix, '')) ?? new Set()).add(form));
      }
      const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
      for (const [key, found] of forms) expect([language, key, [...found].toSorted()]).toEqual([language, key, needed]);
    }
  });

  test('W9.06 a text and its translation take the same values', () => {
    const ru = texts('ru', area);
    const en = texts('en', area);
    for (const key of Object.keys(ru)) {
      if (key in en && !pluralSuffix.test(key)) expect([key, values(en[key])]).toEqual([key, values(ru[key])]);
    }
  });

  test('W9.06 no text is empty', () => {
    for (const language of languages) {
      const empty = Object.entries(texts(language, area)).filter(([, text]) => text.trim() === '');
      expect(empty).toEqual([]);
    }
  });
});

function areasOf(language: Language): string[] {
  const names = readdirSync(join(folder, language), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.json')).toSorted();
}

function keysWithoutPlurals(language: Language, area: string): string[] {
  return [...new Set(Object.keys(texts(language, area)).map((key) => key.replace(pluralSuffix, '')))].toSorted();
}

function values(text = ''): string[] {
  return [...text.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name ?? '').toSorted();
}

/** The texts of an area by their full key: `error.network`. */
function texts(language: Language, area: string): Record<string, string> {
  return Object.fromEntries(flatten(JSON.parse(readFileSync(join(folder, language, area), 'utf8'))));
}

function flatten(branch: unknown, path: string[] = []): [string, string][] {
  if (typeof branch === 'string') return [[path.join('.'), branch]];
  if (typeof branch !== 'object' || branch === null) throw new Error(`${path.join('.')} is neither a text nor a group of texts`);
  return Object.entries(branch).flatMap(([key, value]) => flatten(value, [...path, key]));
}

test('G3.19 each refusal of a private address names the setting that opens it', () => {
  const refusals: Record<string, string[]> = {
    'content/server.json': [
      ...['field.closed_host', 'hook.host', 'input.git_host', 'publish.host', 'publish.request_host'],
      ...['tools.host', 'tools.token_host', 'tools.problem_host', 'problem.host'],
    ],
    'triggers.json': ['reading.problem.host'],
  };
  for (const language of languages)
    for (const [area, keys] of Object.entries(refusals))
      for (const key of keys)
        expect([key, texts(language, area)[key]]).toEqual([key, expect.stringContaining('ARTEL_ALLOW_PRIVATE_HOSTS')]);
});
