import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../src');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(source, file), 'utf8')) }));

/** Files with Russian text that is not part of the interface. */
const excused = new Set([
  // Prompts for models, and patterns for their answers.
  'model/console/analysis-question.ts',
  'model/run/test-report.ts',
  // The letters that are requested from fonts.
  'canvas/scene/text/glyph-warmup.ts',
  'canvas/use-scene.ts',
  // The graph of the benchmark.
  'app/bench/bench-graph.ts',
]);

test('W9.06 no sentence stands in the code: every Russian word of the interface is in the locales', () => {
  // The name of a language is the same in both languages.
  const russian = files.filter(({ code }) => /[а-яё]/i.test(code.replaceAll("'Русский'", '')));
  expect(russian.map(({ file }) => file).filter((file) => !excused.has(file))).toEqual([]);
});

test('W9.06 no file of the page or of its workers has an English sentence or label of its own', () => {
  const found = files
    .filter(({ file }) => !quoting.has(file))
    .flatMap(({ file, code }) => wordsIn(file, code).map((words) => `${file}: ${words}`));
  expect(found).toEqual([]);
});

test('W9.06 words that could be shown are found, wherever they stand', () => {
  const code = [
    '<p className="x y" title="open it">press <b>{key}</b></p>; <input placeholder="name" aria-label={t("a.b")} />;',
    "const text = ok ? 'The run has ended' : `$" + '{count} agents are busy`;',
    "export const labels = { save: 'Save', key: 'Enter', name: 'run.ended' };",
    "console.warn('A note for the console'); throw new RangeError('A fault of ours');",
  ].join('\n');
  expect(wordsIn('a.tsx', code)).toEqual(['open it', 'press', 'name', 'The run has ended', 'agents are busy', 'Save']);
});

/** Files that contain words of programming languages, or of the browser's console. */
const quoting = new Set([
  ...[
    'canvas/scene/layers/grid-layer.ts',
    'canvas/scene/links/link-shader.ts',
    'canvas/scene/gpu/quad-shader.ts',
    'app/workspace/console/files/code-language.ts',
  ],
  ...['landing/demo/compose-demo.ts', 'workers/engine/backends/demo/demo-files.ts'],
  ...['workers/engine/backends/demo/delivered-files.ts', 'api/failure-note.ts'],
  // Commands of a shell.
  ...['model/run/suggest-test-command.ts', 'app/workspace/console/test-tab/local-runner.tsx', 'app/api-keys/use-api-keys.ts'],
  'app/released-teams/ready-lines.ts',
  // What senders of webhooks send.
  'app/triggers/webhook-example.ts',
  // Names of products.
  'model/document/foreign-workflow.ts',
  // The prompt for a model, in each language, and the graph of the benchmark.
  ...['model/console/analysis-question.ts', 'app/bench/bench-graph.ts', 'app/bench/bench-adapter.ts'],
]);

/** Words that are equal in both languages, and values that only look like words: names of keys, browsers, roles, attribute values. */
const known = new Set([
  ...['Alt', 'Backspace', 'Ctrl', 'Ctrl Enter', 'Ctrl ↵', 'Delete', 'End', 'Enter', 'Esc', 'Escape', 'Home', 'Space', 'Tab'],
  ...['Android', 'Chrome', 'Edge', 'Firefox', 'Linux', 'Opera', 'Safari', 'Windows', 'Windows, Linux', 'Yandex Browser', 'English'],
  ...['Assistant', 'Backend', 'Developer', 'Frontend', 'Bearer', 'Hint', 'Text', 'Title'],
  ...[
    'const rows = all()',
    'const rows = stream({',
    'noreferrer noopener nofollow',
    'orders.service.ts',
    'px at',
    'written at',
    'xMaxYMid slice',
  ],
  // The output of a test program.
  'not ok 2 - 50000 rows: file mailed ≠ file',
  // The server's text of a failed validation.
  'Validation errors',
]);
const style = /var\(--|\((?:prefers|forced)-|\[contenteditable|sans-serif|^<svg /;
const sentence = /\p{L}{2,}[,.:;!?…]*\s+\p{L}{2,}/u;
const label = /^[A-Z][a-z]+[.!?…:]*$/;
const readOut = new Set(['title', 'placeholder', 'alt', 'label', 'aria-label', 'aria-description']);

type Branch = { type: string; [name: string]: unknown };

/** The words in a file: text between tags, attributes that are read out, and strings that look like a sentence or a label. */
function wordsIn(file: string, code: string): string[] {
  const found: string[] = [];
  const visit = (branch: unknown, attribute: string | null): void => {
    if (Array.isArray(branch)) for (const each of branch) visit(each, attribute);
    if (!isBranch(branch) || isSilent(branch)) return;
    const inside = branch.type === 'JSXAttribute' ? nameOf(branch.name) : null;
    const text = textOf(branch);
    const shown = branch.type === 'JSXText' || (attribute !== null && readOut.has(attribute));
    if (text !== null && (shown ? /\p{L}{2}/u : sentence).test(text)) found.push(text);
    else if (text !== null && label.test(text)) found.push(text);
    for (const part of Object.values(branch)) visit(part, inside);
  };
  visit(parseSync(file, code).program, null);
  return found.filter((text) => !known.has(text) && !style.test(text));
}

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && typeof (value as Branch).type === 'string';
}

function textOf({ type, value }: Branch): string | null {
  const text = type === 'TemplateElement' ? (value as { cooked: string }).cooked : value;
  return typeof text === 'string' && /^(?:Literal|JSXText|TemplateElement)$/.test(type) ? text.replaceAll(/\s+/g, ' ').trim() : null;
}

/** Types, imports, internal errors, and notes for the browser's console. */
function isSilent(branch: Branch): boolean {
  const { type, callee } = branch;
  if (type === 'NewExpression') return /Error$/.test(nameOf(callee));
  if (type === 'CallExpression') return /^(?:log|warn|note)$/.test(nameOf(callee)) || nameOf((callee as Branch).object) === 'console';
  return (
    (type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type)) ||
    (type !== 'ExportNamedDeclaration' ? /^(?:Import|ExportAll)/.test(type) : isBranch(branch.source))
  );
}

/** The name of a syntax node, or the last part of it. */
function nameOf(branch: unknown): string {
  if (!isBranch(branch)) return '';
  return typeof branch.name === 'string' ? branch.name : nameOf(branch.property);
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
