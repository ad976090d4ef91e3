import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareFile } from '../../../server/modules/files/compare-file.ts';
import { editText } from '../../../server/modules/tools/files/edit-text.ts';

const run = promisify(execFile);
const sequences = 1_000;

const piece = fc.constantFrom('a', 'b', 'if (x) {', '}', '', '  y', 'é☃');
const text = fc
  .array(fc.tuple(piece, fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 40 })
  .chain((lines) => piece.map((last) => lines.map(([line, end]) => line + end).join('') + last));
const step = fc.record({
  from: fc.nat(),
  length: fc.integer({ min: 1, max: 25 }),
  now: fc.array(piece, { maxLength: 4 }).map((lines) => lines.join('\n')),
  replaceAll: fc.boolean(),
});

test('C1.03 the patch of 1,000 random sequences of edits applies with git and gives the same bytes', async () => {
  const samples = fc.sample(fc.tuple(text, fc.array(step, { minLength: 1, maxLength: 8 })), { numRuns: sequences, seed: 33 });
  const files = samples.map(([before, steps], at) => ({ path: `files/${at}.txt`, before, after: edited(before, steps) }));
  const folder = await mkdtemp(join(tmpdir(), 'artel-edits-'));
  try {
    await mkdir(join(folder, 'files'));
    await run('git', ['-C', folder, 'init', '-q']);
    for (const { path, before } of files) await writeFile(join(folder, path), before);
    const patch = files.map((file) => compareFile(file).diff?.diff ?? '').join('');
    await writeFile(join(folder, 'all.patch'), patch);
    await run('git', ['-C', folder, 'apply', '--whitespace=nowarn', 'all.patch']);
    const changed = files.filter(({ before, after }) => before !== after);
    expect(changed.length).toBeGreaterThan(sequences / 2);
    for (const { path, after } of files) expect(await readFile(join(folder, path), 'utf8')).toBe(after);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

type Step = { from: number; length: number; now: string; replaceAll: boolean };

function edited(before: string, steps: readonly Step[]): string {
  return steps.reduce((now, { from, length, ...edit }) => {
    const plain = now.replaceAll('\r\n', '\n');
    const at = from % (plain.length + 1);
    const outcome = editText(now, { ...edit, old: plain.slice(at, at + length) }, 1_000_000);
    return outcome.kind === 'edited' ? outcome.text : now;
  }, before);
}
