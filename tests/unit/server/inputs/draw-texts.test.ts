import { expect, test } from 'vitest';
import { drawTexts } from '../../../../server/modules/inputs/documents/draw-texts.ts';
import { samplePdf } from '../../../support/services/sample-pdf.ts';

const pdf = Buffer.from(samplePdf('a page'));
const file = (path: string, content: Buffer) => ({ path, content, isExecutable: false });

test.each([
  ['a document', pdf, [['a.pdf', 'text 1']]],
  ['a document without text', Buffer.concat([pdf, Buffer.from('\n% empty')]), []],
  ['no document', Buffer.from('plain words'), []],
])('G8.44 of two files of a ZIP with one path the first counts, also where it is %s', async (_, first, texts) => {
  let count = 0;
  const extract = async (bytes: Uint8Array) => {
    count += 1;
    return Buffer.from(bytes).includes('% empty') ? null : `text ${count}`;
  };
  const found = [file('a.pdf', first), file('a.pdf', pdf)];
  const drawn = await drawTexts(found, extract, () => 0);
  expect([...drawn].map(([path, { text }]) => [path, text])).toEqual(texts);
});
