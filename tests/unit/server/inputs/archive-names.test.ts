import { crc32 } from 'node:zlib';
import { zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { unpackArchive } from '../../../../server/modules/inputs/unpack-archive.ts';

/** Packs files under names in any encoding, without a word about it. Each needs as many letters in ASCII as its name has bytes. */
function zipOf(names: readonly Buffer[], change: (zip: Buffer, name: Buffer, at: number) => void = () => {}): Buffer {
  const plain = names.map((name, at) => `${at}`.padEnd(name.length, 'x'));
  const zip = Buffer.from(zipSync(Object.fromEntries(plain.map((name) => [name, Buffer.from('text')]))));
  for (const [index, name] of plain.entries()) {
    for (let at = zip.indexOf(name); at >= 0; at = zip.indexOf(name, at + 1)) {
      const raw = names[index] as Buffer;
      raw.copy(zip, at);
      if (at >= 46 && zip.readUInt32LE(at - 46) === 0x02014b50) change(zip, raw, at - 46);
    }
  }
  return zip;
}

async function found(zip: Uint8Array): Promise<[string, string | null][]> {
  const all: [string, string | null][] = [];
  for await (const file of unpackArchive(zip)) all.push([file.path, 'reason' in file ? file.reason : null]);
  return all;
}

const taken = (...paths: string[]) => paths.map((path) => [path, null]);

test.each([
  ['Windows-1251', ['Отчёт/январь.txt', 'readme.txt', 'ОТЧЁТ.TXT']],
  ['CP866', ['Отчёт/январь.txt', 'Новая папка/ёлка №1.txt']],
  ['KOI8-R', ['Отчёт/январь.txt', 'Документы/письмо.txt']],
  ['CP437', ['Füße/Größe.txt', 'Übung.txt']],
  ['CP850', ['Ångström/smørrebrød.txt']],
  ['Windows-1252', ['Füße/Größe.txt', 'café.txt']],
  ['GBK', ['新建文件夹/报告.txt', '测试.txt']],
  ['UTF-8', ['Отчёт/январь.txt', '测试.txt']],
])('G8.43 names in %s are read, which no archive says', async (encoding, names) => {
  expect(await found(zipOf(names.map((name) => iconv.encode(name, encoding))))).toEqual(taken(...names));
});

test('G8.43 the Unicode name of 7-Zip and WinRAR counts, unless its entry was renamed', async () => {
  const name = Buffer.from('Отчёт/январь.txt');
  const field = (of: string) => {
    const head = Buffer.alloc(5, 1);
    head.writeUInt32LE(crc32(of), 1);
    return new Uint8Array(Buffer.concat([head, name]));
  };
  const zip = (of: string) => zipSync({ '_____/______.txt': [Buffer.from('text'), { extra: { 28789: field(of) } }] });
  expect(await found(zip('_____/______.txt'))).toEqual(taken(String(name)));
  expect(await found(zip('old.txt'))).toEqual(taken('_____/______.txt'));
});

test('G8.43 backslashes are folders, and what systems add is left out and listed', async () => {
  const names = ['src\\app\\main.ts', 'src\\', 'src/.DS_Store', '__MACOSX/src/._main.ts', 'Thumbs.db', 'src\\Desktop.ini', 'thumbs.db.txt'];
  expect(await found(zipOf(names.map((name) => Buffer.from(name))))).toEqual([
    ['src/app/main.ts', null],
    ['src/.DS_Store', 'system_file'],
    ['__MACOSX/src/._main.ts', 'system_file'],
    ['Thumbs.db', 'system_file'],
    ['src/Desktop.ini', 'system_file'],
    ['thumbs.db.txt', null],
  ]);
});

test.each([
  ['AES', (zip: Buffer, at: number) => zip.writeUInt16LE(99, at + 10)],
  ['ZipCrypto', (zip: Buffer, at: number) => zip.writeUInt16LE(0x01, at + 8)],
  ['strong encryption', (zip: Buffer, at: number) => zip.writeUInt16LE(0x41, at + 8)],
])('G8.43 %s is called a password', async (_kind, lock) => {
  const zip = zipOf([Buffer.from('a.txt')], (bytes, _name, at) => lock(bytes, at));
  await expect(found(zip)).rejects.toMatchObject({ code: 'input_refused', reason: 'archive_encrypted' });
});
