import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pluralSuffix = /_(zero|one|two|few|many|other)$/;

/** The key of a text with all its counted forms. */
type Text = { area: string; key: string; forms: string[] };

/** What the sources of the page read of an area: keys that they name whole, and beginnings of keys that they complete. */
const readings = new Map<string, { whole: Set<string>; begun: Set<string> }>();
for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(file)) continue;
  const code = readFileSync(join(root, 'src', file), 'utf8');
  const whole = found(code, /\b\w+\(\s*'([\w.:-]+)'/g);
  const begun = found(code, /`([\w.-]+\.)\$\{/g);
  for (const area of found(code, /(?:useTranslation\(|useTranslation<|TextsOf<|TFunction<)'([\w-]+)'/g)) {
    const known = readings.get(area);
    readings.set(area, { whole: new Set([...whole, ...(known?.whole ?? [])]), begun: new Set([...begun, ...(known?.begun ?? [])]) });
  }
}
/** The keys that name their area: `words:save`. */
const withArea = new Set([...readings.values()].flatMap(({ whole }) => [...whole].filter((key) => key.includes(':'))));

/** Texts that stand twice on purpose: the same letters mean another thing, or belong to a list that is read as a whole. */
const apart = new Set([
  // The moment of a problem and the hour of a schedule; elsewhere it is how long something took.
  ...['auth:diagnostics.time', 'triggers:schedule.at'],
  // The earlier prompts of an agent; elsewhere it is the runs of a project.
  'connections:agent.promptHistory',
  // The button that shows a result; elsewhere it is the name of the result.
  'workspace:history.showResult',
  // The titles of pages, which the build reads too.
  ...['dead-letters:title', 'leads:title'],
  // One of the limits of a budget, which are read as a list.
  'budgets:tokens',
  // The states of a card, and the labels of a lead and of the form that makes one.
  ...['canvas:card.state.', 'leads:details.', 'landing:finalCTA.form.'],
]);

test('W9.06 one word has one key: no text of the page stands under two keys that the sources name whole', () => {
  const texts = new Map<string, Text[]>();
  for (const text of readTexts()) {
    if (!isNamed(text) || isApart(text)) continue;
    const words = JSON.stringify(text.forms);
    texts.set(words, [...(texts.get(words) ?? []), text]);
  }
  expect(texts.size).toBeGreaterThan(500);
  const twice = [...texts.values()].filter(({ length }) => length > 1);
  expect(twice.map((same) => same.map(({ area, key }) => `${area}:${key}`))).toEqual([]);
});

test('W9.06 what may stand twice is still read', () => {
  const keys = readTexts().map(({ area, key }) => `${area}:${key}`);
  expect([...apart].filter((begun) => !keys.some((key) => key.startsWith(begun)))).toEqual([]);
});

/** Whether a source names the key whole, and none completes a key that begins like it: such keys are entries of a table. */
function isNamed({ area, key }: Text): boolean {
  const reading = readings.get(area);
  const named = reading?.whole.has(key) || withArea.has(`${area}:${key}`);
  return Boolean(named) && ![...(reading?.begun ?? [])].some((start) => key.startsWith(start));
}

function isApart({ area, key }: Text): boolean {
  return [...apart].some((start) => `${area}:${key}`.startsWith(start));
}

/** All texts of the page in both languages. The keys of problems are their codes. */
function readTexts(): Text[] {
  const areas = readdirSync(join(root, 'locales/en')).filter((name) => name.endsWith('.json') && name !== 'errors.json');
  return areas.flatMap((name) => {
    const texts = new Map<string, Text>();
    for (const language of ['en', 'ru'])
      for (const [whole, words] of flatten(JSON.parse(readFileSync(join(root, 'locales', language, name), 'utf8')))) {
        const key = whole.replace(pluralSuffix, '');
        const text = texts.get(key) ?? { area: name.replace('.json', ''), key, forms: [] };
        text.forms.push(`${language}${pluralSuffix.exec(whole)?.[0] ?? ''} ${words}`);
        texts.set(key, text);
      }
    return [...texts.values()];
  });
}

function flatten(branch: unknown, path: string[] = []): [string, string][] {
  if (typeof branch === 'string') return [[path.join('.'), branch]];
  return Object.entries(branch as object).flatMap(([key, value]) => flatten(value, [...path, key]));
}

function found(code: string, pattern: RegExp): Set<string> {
  return new Set([...code.matchAll(pattern)].map(([, words = '']) => words));
}
