import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { readText } from '../../../../../server/modules/inputs/text/read-text.ts';
import { writeBack } from '../../../../../server/modules/inputs/text/write-back.ts';

function edit(bytes: Buffer, change: (text: string) => string): Buffer | null {
  const { text, encoding } = readText(bytes) ?? { text: '', encoding: null };
  return writeBack({ bytes, text, encoding: encoding ?? '' }, change(text));
}

const text = 'Товар;Цена\r\nЁлка;1 250,50\r\n';

test.each(['Windows-1251', 'CP866', 'KOI8-R', 'UTF-16LE', 'UTF-16BE'])('G8.42 a changed file in %s keeps its encoding', (encoding) => {
  const longer = `${text}Санкт-Петербург;2\r\n`;
  expect(edit(iconv.encode(longer, encoding), (all) => `${all}Чайник;3\r\n`)).toEqual(iconv.encode(`${longer}Чайник;3\r\n`, encoding));
});

test.each(['utf16le', 'utf16be', 'utf8'])('G8.42 a changed file in %s keeps its byte order mark', (codec) => {
  expect(edit(iconv.encode(`\ufeff${text}`, codec), (all) => all.toUpperCase())).toEqual(
    iconv.encode(`\ufeff${text.toUpperCase()}`, codec),
  );
});

test('G8.42 a character that the encoding lacks is refused', () => {
  expect(edit(iconv.encode(text, 'Windows-1251'), (all) => `${all}→`)).toBeNull();
});

const damaged = Buffer.concat([Buffer.from('первая строка\nвторая '), Buffer.from('ff', 'hex'), Buffer.from(' x\nтретья\n')]);

test('G8.42 an invalid byte is kept as long as its line is unchanged', () => {
  expect(edit(damaged, (all) => `нулевая\n${all}`)).toEqual(Buffer.concat([Buffer.from('нулевая\n'), damaged]));
  expect(edit(damaged, (all) => all.replace(/вторая.*\n/, ''))).toEqual(Buffer.from('первая строка\nтретья\n'));
  expect(edit(damaged, (all) => all.replace('вторая', '2-я'))).toBeNull();
  expect(edit(damaged, (all) => all + all)).toBeNull();
});

test('G8.42 lines that look alike and differ in their bytes are not mixed up', () => {
  const alike = Buffer.concat(
    ['первая строка, длинная\n', 'ff', '\n', 'fe', '\n'].map((part) => Buffer.from(part, /^f[ef]$/.test(part) ? 'hex' : 'utf8')),
  );
  expect(edit(alike, (all) => `${all}ещё\n`)).toEqual(Buffer.concat([alike, Buffer.from('ещё\n')]));
  expect(edit(alike, (all) => all.replace('\ufffd\n', ''))).toBeNull();
});
