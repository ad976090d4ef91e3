import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../src');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(source, file), 'utf8')) }));

/** Russian that is no word of the interface. */
const excused = new Set([
  // What models are asked, and what is read out of their answers.
  'model/analysis-question.ts',
  'model/test-report.ts',
  // The letters that fonts are asked for.
  'canvas/scene/letter-warmup.ts',
  'canvas/scene/load-fonts.ts',
  // The graph of the benchmark.
  'app/bench/bench-graph.ts',
]);

test('W9.06 no sentence stands in the code: every Russian word of the interface is in the locales', () => {
  // A language is named in itself, the same in both.
  const russian = files.filter(({ code }) => /[а-яё]/i.test(code.replaceAll("'Русский'", '')));
  expect(russian.map(({ file }) => file).filter((file) => !excused.has(file))).toEqual([]);
});

test('W9.06 no component shows or reads out words of its own', () => {
  const found = files
    .filter(({ file }) => file.endsWith('.tsx'))
    .flatMap(({ file, code }) => [...shownWords(code)].map((words) => `${file}: ${words}`));
  expect(found).toEqual([]);
});

test('W9.06 words that are shown are found, wherever they stand', () => {
  const code = '<p className="x" title="Open it">Press <b>{key}</b></p>; <input placeholder="Name" aria-label={t("a")} />;';
  expect([...shownWords(code)]).toEqual(['Press', 'Open it', 'Name']);
});

/** Text between tags, and attributes that people see or hear, where they hold a word. */
function* shownWords(code: string): Generator<string> {
  for (const [, text = ''] of code.matchAll(/(?<![\w.])<\w[^<>=]*(?:="[^"]*"[^<>=]*)*>([^<>{}=;()|&]*[A-Za-z]{2}[^<>{}=;()|&]*)(?=<|\{)/g))
    yield text.trim();
  for (const [, text = ''] of code.matchAll(/\s(?:title|placeholder|alt|label|aria-label)="([^"]*[A-Za-z]{2}[^"]*)"/g)) yield text;
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
