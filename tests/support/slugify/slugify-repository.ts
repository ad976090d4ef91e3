/** The rule that the planted bug leaves out. */
const missingRule = '.toLowerCase()';

/** A small library with its own suite, of which one test fails: capital letters stay as they are. */
export const slugifyFiles: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "tiny-slugify", "type": "module", "scripts": { "test": "node --test" } }\n',
  'index.js': `/** Returns a text as a part of an address. */
export function slugify(text, { separator = '-' } = {}) {
  const words = text.normalize('NFKD').replace(/[^\\w\\s-]/g, '').trim();
  return words.split(/[\\s-]+/).join(separator);
}
`,
  'test/slugify.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugify } from '../index.js';

test('spaces become separators', () => assert.equal(slugify('one two'), 'one-two'));
test('the separator can be chosen', () => assert.equal(slugify('one two', { separator: '_' }), 'one_two'));
test('capital letters become small ones', () => assert.equal(slugify('Hello World'), 'hello-world'));
`,
};

/** The edit that mends the bug. */
export const mending = { path: 'index.js', old: 'join(separator)', new: `join(separator)${missingRule}` };
