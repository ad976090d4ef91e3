import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createZipStream } from '../../../../server/modules/accounts/export/zip-stream.ts';
import { unzip } from '../../../support/unzip.ts';

async function* pieces(many: number, size: number) {
  for (let n = 0; n < many; n++) yield Buffer.alloc(size, n);
}

test('G8.06 files are packed one after another while they are read', async () => {
  const zip = createZipStream();
  const packed = buffer(zip.output);
  await zip.add('a/текст.txt', ['one ', 'two']);
  await zip.add('b.bin', pieces(40, 100_000));
  await zip.add('empty', []);
  zip.end();
  const files = await unzip(await packed);
  expect([...files.keys()]).toEqual(['a/текст.txt', 'b.bin', 'empty']);
  expect(files.get('a/текст.txt')?.toString()).toBe('one two');
  expect(files.get('b.bin')?.length).toBe(4_000_000);
});

test('G8.06 a file that cannot be read ends the archive with an error', async () => {
  const zip = createZipStream();
  const packed = buffer(zip.output);
  async function* failing() {
    yield 'begun';
    throw new Error('The database is gone.');
  }
  await expect(zip.add('a', failing())).rejects.toThrow('The database is gone.');
  await expect(packed).rejects.toThrow('The database is gone.');
});

test.each(['reads no more', 'has gone'] as const)('G8.06 a client that %s ends the export', async (what) => {
  const zip = createZipStream(what === 'has gone' ? 60_000 : 20);
  const closed = new Promise((resolve) => zip.output.once('close', resolve));
  zip.output.on('error', () => {});
  const added = zip.add('a', pieces(10_000, 100_000));
  if (what === 'has gone') zip.output.destroy();
  await expect(added).rejects.toThrow('The client of an export has gone.');
  await closed;
});
