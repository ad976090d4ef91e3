import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dropStaleTypes } from '../../scripts/drop-stale-types.ts';

test('what the compiler has kept of the page goes when a text was added or removed, and stays otherwise', () => {
  const folder = mkdtempSync(join(tmpdir(), 'artel-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [cache, texts, side] = [join(folder, 'cache'), join(folder, 'texts'), 'page.tsbuildinfo'];
  mkdirSync(join(texts, 'content'), { recursive: true });
  const isKeptWith = (text: object) => {
    writeFileSync(join(texts, 'content/nodes.json'), JSON.stringify(text));
    dropStaleTypes({ cache, texts, side });
    const isKept = existsSync(join(cache, side));
    writeFileSync(join(cache, side), 'kept');
    writeFileSync(join(cache, 'server.tsbuildinfo'), 'kept');
    return isKept;
  };
  expect([{ a: '1' }, { a: '1' }, { a: '1', b: '2' }, { a: '1' }, { a: '1' }].map(isKeptWith)).toEqual([false, true, false, false, true]);
  expect(existsSync(join(cache, 'server.tsbuildinfo'))).toBe(true);
});
