import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BackupPart, DamagedBackup, readParts, writeParts } from '../../../../server/platform/database/backup/backup-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel-backup-'));
});
afterAll(() => rm(folder, { recursive: true }));

const header: BackupPart = {
  kind: 'header',
  header: {
    createdAt: '2026-01-02T03:04:05.000Z',
    version: '1.2.3',
    migrations: [{ name: '0001_a.sql', checksum: 'c' }],
    secret: { check: 'x' },
  },
};
const table = (name: string): BackupPart => ({ kind: 'table', table: { name, columns: ['id', 'text'] } });
const rows = (text: string): BackupPart => ({ kind: 'rows', bytes: Buffer.from(text) });
const end: BackupPart = { kind: 'end' };

async function pack(parts: BackupPart[]): Promise<Buffer> {
  return gzipSync(await buffer(Readable.from(writeParts(Readable.from(parts)))));
}

let count = 0;
/** The parts that are read from a file with these bytes; the rows of a table are joined. */
async function read(bytes: Uint8Array): Promise<unknown[]> {
  const path = join(folder, String(++count));
  await writeFile(path, bytes);
  const found: unknown[] = [];
  for await (const part of readParts(path)) {
    const last = found.at(-1);
    if (part.kind === 'rows' && last instanceof Buffer) found[found.length - 1] = Buffer.concat([last, part.bytes]);
    else found.push(part.kind === 'rows' ? Buffer.from(part.bytes) : part);
  }
  return found;
}

const sample = [header, table('users'), rows('1\tAnn\n2\tBob\n'), table('empty'), table('tasks'), rows('end {}\ndata 5\n\\.\n'), end];
const sampleRead = [
  header,
  table('users'),
  Buffer.from('1\tAnn\n2\tBob\n'),
  table('empty'),
  table('tasks'),
  Buffer.from('end {}\ndata 5\n\\.\n'),
  end,
];

test('R10.01 a backup file is read as it was written, with any rows', async () => {
  expect(await read(await pack(sample))).toEqual(sampleRead);
  const large = 'тихая река \n'.repeat(40_000);
  expect(await read(await pack([header, table('big'), rows(large), end]))).toEqual([header, table('big'), Buffer.from(large), end]);
});

test('R10.01 a backup file that is cut short anywhere is refused', async () => {
  const whole = await pack(sample);
  for (let length = 0; length < whole.length; length += 1) await expect(read(whole.subarray(0, length))).rejects.toThrow(DamagedBackup);
});

test('R10.01 a backup file with a byte altered anywhere is refused, unless nothing of its content depends on it', async () => {
  const whole = await pack(sample);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const altered = Buffer.from(whole);
      altered[at] = (altered[at] as number) ^ change;
      const found = await read(altered).catch((error: unknown) => error);
      if (!(found instanceof DamagedBackup)) expect(found).toEqual(sampleRead);
    }),
    { numRuns: 300 },
  );
});

test('R10.01 a backup whose content was altered and compressed again is refused', async () => {
  const text = gunzipSync(await pack(sample)).toString();
  for (const [from, to] of [
    ['Ann', 'Eve'],
    ['"tables":3', '"tables":2'],
    ['table {"name":"empty"', 'table {"name":"other"'],
    ['data 12', 'data 11'],
    ['artel-backup 1', 'artel-backup 2'],
  ] as const) {
    expect(text).toContain(from);
    await expect(read(gzipSync(text.replace(from, to)))).rejects.toThrow(DamagedBackup);
  }
  await expect(read(gzipSync(`${text}more`))).rejects.toThrow(DamagedBackup);
  await expect(read(Buffer.from('no gzip at all'))).rejects.toThrow(DamagedBackup);
});
