import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { createInputSetLimits } from '../../../../server/modules/inputs/input-set-limits.ts';
import { readInputFile } from '../../../../server/modules/inputs/read-input-file.ts';
import { samplePdf } from '../../../support/services/sample-pdf.ts';

const read = (name: string, content: string | Uint8Array, keepsBinary = false) =>
  readInputFile(name, typeof content === 'string' ? Buffer.from(content) : content, keepsBinary);

test('G3.10 takes text in UTF-8 with its exact bytes, its type and its hash', async () => {
  const text = '\ufeffцена;1\r\n';
  expect(await read('./data\\price.csv', text)).toEqual({
    ok: true,
    file: {
      ...{ path: 'data/price.csv', mime: 'text/csv', bytes: Buffer.byteLength(text), kind: 'text', content: null, text, executable: false },
      sha256: createHash('sha256').update(text).digest('hex'),
    },
  });
  expect(await read('a.pdf', samplePdf('x'))).toMatchObject({ ok: true, file: { kind: 'pdf', mime: 'application/pdf', text: null } });
});

test.each([
  ['picture.txt', Buffer.from('89504e470d0a1a0a', 'hex'), 'image'],
  ['photo.jpg', Buffer.from('ffd8ffe000104a46', 'hex'), 'image'],
  ['files.zip', zipSync({ a: new Uint8Array() }), 'is_archive'],
  ['letter.docx', zipSync({ a: new Uint8Array() }), 'binary'],
  ['program', Buffer.from('7f454c46020100', 'hex'), 'binary'],
  ['old.txt', Buffer.from('cff0e8e2e5f2', 'hex'), 'not_utf8'],
  ['wide.txt', Buffer.from('fffe4100', 'hex'), 'not_utf8'],
  ['large.txt', new Uint8Array(10 * 1024 * 1024 + 1), 'too_large'],
  ['../../etc/passwd', Buffer.from('x'), 'path_outside'],
  ['/etc/passwd', Buffer.from('x'), 'path_absolute'],
  ['C:\\boot.ini', Buffer.from('x'), 'path_absolute'],
  ['.git/config', Buffer.from('x'), 'path_reserved'],
  ['a\u202eb.txt', Buffer.from('x'), 'path_characters'],
])('G3.11 refuses %s with a reason', async (name, content, reason) => {
  expect(await read(name, content)).toEqual({ ok: false, reason });
});

test('G3.12 a file of an archive that is not text is kept', async () => {
  expect(await read('logo.png', Buffer.from('89504e470d0a1a0a', 'hex'), true)).toMatchObject({
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
