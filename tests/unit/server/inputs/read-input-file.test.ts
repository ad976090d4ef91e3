import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { createInputSetLimits } from '../../../../server/modules/inputs/input-set-limits.ts';
import { readInputFile } from '../../../../server/modules/inputs/read-input-file.ts';
import { sampleDocx, sampleRtf, sampleXlsx } from '../../../support/services/sample-documents.ts';
import { samplePdf } from '../../../support/services/sample-pdf.ts';

const read = (name: string, content: string | Uint8Array, keepsBinary = false) =>
  readInputFile(name, typeof content === 'string' ? Buffer.from(content) : content, keepsBinary);

test.each([
  ['цена;1\r\n', null],
  ['\ufeffцена;1\r\n', 'UTF-8 BOM'],
])('G3.10 takes text in UTF-8 with its exact bytes, its type and its hash', async (given, encoding) => {
  const bytes = Buffer.from(given);
  expect(await read('./data\\price.csv', given)).toEqual({
    ok: true,
    format: null,
    file: {
      path: 'data/price.csv',
      mime: 'text/csv',
      bytes: bytes.length,
      kind: 'text',
      content: encoding === null ? null : bytes,
      text: 'цена;1\r\n',
      encoding,
      replaced: 0,
      executable: false,
      sha256: createHash('sha256').update(given).digest('hex'),
    },
  });
});

test('G3.10 an input file is recognised as a PDF by its first bytes', async () => {
  expect(await read('a.pdf', samplePdf('x'))).toMatchObject({ ok: true, file: { kind: 'pdf', mime: 'application/pdf', text: null } });
});

/** Images of one pixel, and one of many. */
const images = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  webp: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
  jpeg: '/9j/4AAQSkZJRgABAQEASABIAAD/wAALCAABAAEBAREA/9k=',
};

test.each([
  ['picture.txt', images.png, 'image/png'],
  ['photo.jpg', images.jpeg, 'image/jpeg'],
  ['a.gif', images.gif, 'image/gif'],
  ['a.webp', images.webp, 'image/webp'],
])('G8.51 takes %s as an image by its header, also from an archive', async (name, base64, mime) => {
  const content = Buffer.from(base64, 'base64');
  const expected = { ok: true, file: { kind: 'image', mime, text: null, content } };
  expect(await read(name, content)).toMatchObject(expected);
  expect(await readInputFile(name, content, true)).toMatchObject(expected);
});

function pngOf(width: number, height: number): Buffer {
  const png = Buffer.from(images.png, 'base64');
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

test.each([
  [0, 1],
  [8_001, 10],
])('G8.51 an image of %i by %i pixels is none that models take', async (width, height) => {
  expect(await read('a.png', pngOf(width, height))).toEqual({ ok: false, reason: 'image' });
});

test.each([
  ['picture.bmp', Buffer.from('424d36000000', 'hex'), 'image'],
  ['scan.tif', Buffer.from('49492a0008000000', 'hex'), 'image'],
  ['damaged.png', Buffer.from('89504e4700000000', 'hex'), 'image'],
  ['huge.png', Buffer.concat([pngOf(1, 1), Buffer.alloc(3.5 * 1024 * 1024)]), 'image_too_large'],
  ['files.zip', zipSync({ a: new Uint8Array() }), 'is_archive'],
  ['letter.docx', zipSync({ a: new Uint8Array() }), 'binary'],
  ['program', Buffer.from('7f454c46020100', 'hex'), 'binary'],
  ['unknown.txt', Buffer.from('81018302850387048905', 'hex'), 'not_utf8'],
  ['wide.txt', Buffer.from('fffe00d801d802d803d804d8', 'hex'), 'binary'],
  ['large.txt', new Uint8Array(10 * 1024 * 1024 + 1), 'too_large'],
  ['../../etc/passwd', Buffer.from('x'), 'path_outside'],
  ['/etc/passwd', Buffer.from('x'), 'path_absolute'],
  ['C:\\boot.ini', Buffer.from('x'), 'path_absolute'],
  ['.git/config', Buffer.from('x'), 'path_reserved'],
  ['a\u202eb.txt', Buffer.from('x'), 'path_characters'],
])('G3.11 refuses %s with a reason', async (name, content, reason) => {
  expect(await read(name, content)).toEqual({ ok: false, reason });
});

test('G8.44 an input file is recognised as DOCX, XLSX, RTF or an older Office format by its content', async () => {
  const documents = { docx: sampleDocx('x'), xlsx: sampleXlsx('x', [['x']]), rtf: sampleRtf };
  for (const [format, bytes] of Object.entries(documents)) {
    expect(await read('letter', bytes)).toMatchObject({ ok: true, format, file: { kind: 'document', text: null, encoding: null } });
  }
  expect(await read('letter.docx', sampleDocx('x'), true)).toMatchObject({ ok: true, format: null, file: { kind: 'binary' } });
  expect(await read('letter.doc', Buffer.from('d0cf11e0a1b11ae100', 'hex'))).toEqual({ ok: false, reason: 'document_old' });
});

test.each([
  ['old.txt', Buffer.from('cff0e8e2e5f2', 'hex'), 'Windows-1251', 'Привет'],
  ['wide.txt', Buffer.from('fffe4100', 'hex'), 'UTF-16LE', 'A'],
])('G8.41 reads %s in its encoding and keeps its bytes', async (name, content, encoding, text) => {
  expect(await read(name, content)).toMatchObject({
    ok: true,
    file: { kind: 'text', mime: 'text/plain', content, text, encoding, replaced: 0 },
  });
});

test('G3.12 a file of an archive that is not text is kept', async () => {
  expect(await read('logo.bin', Buffer.from('7f454c4602010000', 'hex'), true)).toMatchObject({
    ok: true,
    file: { kind: 'binary', bytes: 8 },
  });
});

const mebibyte = 1024 * 1024;

test('G3.11 a set takes 25 added files, 50 MiB in all, and no two names that differ in case only', () => {
  const limits = createInputSetLimits([], 0);
  for (let at = 0; at < 25; at += 1) expect(limits.admit({ path: `${at}.txt`, bytes: mebibyte }, 'file')).toBeNull();
  expect(limits.admit({ path: '25.txt', bytes: 1 }, 'file')).toBe('count_exceeded');
  expect(limits.admit({ path: '0.txt', bytes: 2 * mebibyte }, 'file')).toBeNull();
  expect(limits.admit({ path: 'src/a.txt', bytes: 10 * mebibyte }, 'archive')).toBeNull();
  expect(limits.admit({ path: 'src/A.txt', bytes: 1 }, 'archive')).toBe('path_taken');
  expect(limits.admit({ path: 'SRC', bytes: 1 }, 'archive')).toBe('path_taken');
  expect(limits.admit({ path: '0.txt/b', bytes: 1 }, 'archive')).toBe('path_taken');
  expect(limits.admit({ path: 'b.txt', bytes: 15 * mebibyte }, 'archive')).toBe('set_full');
});

test('G3.11 an account holds 200 MiB in sets that no run has used', () => {
  const limits = createInputSetLimits([{ path: 'a.txt', bytes: mebibyte, sha256: '', from: 'file' }], 199 * mebibyte);
  expect(limits.admit({ path: 'b.txt', bytes: mebibyte + 1 }, 'file')).toBe('account_full');
  expect(limits.admit({ path: 'a.txt', bytes: 2 * mebibyte }, 'file')).toBeNull();
});
