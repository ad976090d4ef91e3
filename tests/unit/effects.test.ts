import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('R31.01 no effect returns what a method of an element returns: in newer browsers some return a promise, which React would call', () => {
  const returning = /use(?:Layout)?Effect\(\(\) => [\w.?]+\.(?:scroll\w*|focus|blur|click|showModal|show|close|play)\(/;
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => returning.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  expect(returning.test("useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), []);")).toBe(true);
});
