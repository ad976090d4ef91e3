import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { readText } from '../../../../../server/modules/inputs/text/read-text.ts';

const invoice = 'Товар;Цена\r\nЁлка «Нежность»;1 250,50\r\nСанкт-Петербург, счёт № 15\r\n';
const code = 'int main() { // комментарий к функции\n  return 0; // выход\n}\n';

test.each(['Windows-1251', 'CP866', 'KOI8-R', 'UTF-16LE', 'UTF-16BE'])(
  'G8.41 the reader decodes Russian in %s: a table, code, capitals and one word',
  (encoding) => {
    for (const text of [invoice, code, 'ОТЧЁТ ЗА ГОД', 'Привет']) {
      const bytes = iconv.encode(text, encoding);
      const whole = iconv.decode(bytes, encoding);
      expect(readText(bytes)).toEqual({ text: whole, encoding, replaced: 0 });
    }
  },
);

test.each([
  ['UTF-16LE', 'utf16le'],
  ['UTF-16BE', 'utf16be'],
  ['UTF-8 BOM', 'utf8'],
])('G8.41 a byte order mark says %s and is no part of the text', (encoding, codec) => {
  expect(readText(iconv.encode(`\ufeff${invoice}`, codec))).toEqual({ text: invoice, encoding, replaced: 0 });
});

test.each([
  ['Windows-1251', 'Привіт, це український текст із літерами ї та є'],
  ['KOI8-U', 'Привіт, це український текст із літерами ї та є'],
  ['Windows-1252', 'Größe;Füße;Straße\nÄpfel'],
  ['Windows-1252', '¿Qué pasa, señor? El niño está aquí'],
  ['Windows-1250', 'Zażółć gęślą jaźń. Łódź jest pięknym miastem w środkowej Polsce'],
  ['GB18030', '姓名,年龄\n张三,25\n'],
  ['Big5', '你好，世界。這是一個測試檔案，包含一些中文內容。我們在這裡寫一些字。'],
  ['Shift_JIS', 'これはテストです。日本語の文章を書いています。よろしくお願いします。'],
  ['EUC-KR', '안녕하세요. 이것은 한국어 테스트 문서입니다. 잘 부탁드립니다.'],
])('G8.41 reads other languages in %s: %s', (encoding, text) => {
  expect(readText(iconv.encode(text, encoding))).toEqual({ text, encoding, replaced: 0 });
});

test('G8.41 a text in plain UTF-8 is read without a note on its encoding', () => {
  for (const text of ['', 'plain\n', invoice, '张三,25'])
    expect(readText(Buffer.from(text))).toEqual({ text, encoding: null, replaced: 0 });
});

test.each([
  ['Russian', 'строка журнала\n'],
  ['English', 'a line of the log\n'],
])('G8.41 a bad byte in a log in %s is one replacement', (_language, line) => {
  for (const bad of ['ff', 'c3', '80']) {
    const bytes = Buffer.concat([Buffer.from(line.repeat(9)), Buffer.from(bad, 'hex'), Buffer.from(` ${line}`)]);
    expect(readText(bytes)).toEqual({ text: `${line.repeat(9)}\ufffd ${line}`, encoding: 'UTF-8', replaced: 1 });
  }
});

test('G8.41 a text that is cut within a character ends with a replacement character', () => {
  expect(readText(Buffer.from('привет').subarray(0, -1))).toEqual({ text: 'приве\ufffd', encoding: 'UTF-8', replaced: 1 });
  const wide = iconv.encode('\ufeffпривет\n', 'utf16le');
  expect(readText(Buffer.concat([wide, Buffer.from('A')]))).toEqual({ text: 'привет\n\ufffd', encoding: 'UTF-16LE', replaced: 1 });
});

test.each([
  ['a program', '7f454c46020100'],
  ['what is packed', '1f8b0800000000000003cb48cdc9c95728cf2fca49e102002d3b08af0c'],
  ['a picture in numbers', '0001020304050607'.repeat(9)],
  [
    'noise',
    Buffer.from(Array.from({ length: 300 }, (_, index) => 0x80 + ((index * 7_919 + ((index * index) % 251)) % 128))).toString('hex'),
  ],
])('G8.41 %s is no text', (_what, hex) => {
  expect(readText(Buffer.from(hex, 'hex'))).toBeNull();
});
