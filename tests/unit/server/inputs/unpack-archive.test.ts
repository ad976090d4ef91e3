import { strToU8, type Zippable, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type FoundFile, unpackArchive } from '../../../../server/modules/inputs/unpack-archive.ts';

const symbolicLink = 0o120777 << 16;

async function unpacked(bytes: Uint8Array): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for await (const file of unpackArchive(bytes)) found.push(file);
  return found;
}

const refusal = (reason: string) => expect.objectContaining({ code: 'input_refused', reason });
const reasonOf = (bytes: Uint8Array) =>
  unpacked(bytes).then(
    () => null,
    (error: unknown) => error,
  );

test('G3.12 the unpacker extracts the files of a ZIP, and leaves a nested ZIP packed', async () => {
  const inner = zipSync({ 'b.txt': strToU8('b') });
  const files = await unpacked(zipSync({ 'src/a.ts': strToU8('a'), 'inner.zip': inner, 'empty/': new Uint8Array() }));
  expect(files).toEqual([
    { path: 'src/a.ts', content: Buffer.from('a'), isExecutable: false },
    { path: 'inner.zip', content: Buffer.from(inner), isExecutable: false },
  ]);
});

test('G3.12 the unpacker leaves out links and files that are too large', async () => {
  const files = await unpacked(
    zipSync({
      secrets: [strToU8('/etc/passwd'), { os: 3, attrs: symbolicLink }],
      'large.txt': [new Uint8Array(10 * 1024 * 1024 + 1).fill(65).map((_, at) => at * 31), { level: 0 }],
    }),
  );
  expect(files).toEqual([
    { path: 'secrets', reason: 'link' },
    { path: 'large.txt', reason: 'too_large' },
  ]);
});

test('G3.12 the unpacker refuses a ZIP bomb: too much in all, packed too tightly, or too many entries', async () => {
  const mebibyte = 1024 * 1024;
  const zeros = new Uint8Array(9 * mebibyte);
  expect(await reasonOf(zipSync({ 'zeros.txt': zeros }))).toEqual(refusal('archive_too_large'));
  const six = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}.txt`, [zeros, { level: 0 }]])) as Zippable;
  expect(await reasonOf(zipSync(six))).toEqual(refusal('archive_too_large'));
  const many = Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`${at}.txt`, new Uint8Array()]));
  expect(await reasonOf(zipSync(many, { level: 0 }))).toEqual(refusal('archive_count_exceeded'));
});

test('G3.12 the unpacker counts no folder as a file', async () => {
  const folders = Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`${at}/`, new Uint8Array()]));
  expect(await unpacked(zipSync({ ...folders, 'a.txt': strToU8('a') }, { level: 0 }))).toHaveLength(1);
});

test('G3.12 other work has its turns while the entries of a ZIP are listed', async () => {
  const zip = zipSync(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${at}.txt`, new Uint8Array()])), { level: 0 });
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await unpackArchive(zip, () => false).next();
  clearImmediate(counting);
  expect(turns).toBeGreaterThanOrEqual(9);
});

test('G3.12 the unpacker refuses a ZIP that is damaged, has wrong sizes or needs a password', async () => {
  const text = strToU8('some text '.repeat(1_000));
  const zip = zipSync({ 'a.txt': text });
  expect(await reasonOf(strToU8('no archive'))).toEqual(refusal('archive_unreadable'));
  expect(await reasonOf(zip.subarray(0, zip.length - 30))).toEqual(refusal('archive_unreadable'));
  const entry = Buffer.from(zip).indexOf(Buffer.from('504b0102', 'hex'));
  const sized = Buffer.from(zip);
  sized.writeUInt32LE(100, entry + 24);
  expect(await reasonOf(sized)).toEqual(refusal('archive_unreadable'));
  const damaged = Buffer.from(zipSync({ 'a.txt': [text, { level: 0 }] }));
  damaged[100] = 0;
  expect(await reasonOf(damaged)).toEqual(refusal('archive_unreadable'));
  const locked = Buffer.from(zip);
  locked.writeUInt16LE(1, entry + 8);
  expect(await reasonOf(locked)).toEqual(refusal('archive_encrypted'));
});
