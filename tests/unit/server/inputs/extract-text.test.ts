import { expect, test } from 'vitest';
import { extractText, runTextProgram, textLimits } from '../../../../server/modules/inputs/documents/extract-text.ts';
import { sampleDocx, sampleRtf, sampleXlsx } from '../../../support/services/sample-documents.ts';
import { endlessPdf, samplePdf } from '../../../support/services/sample-pdf.ts';

const refusal = (reason: string) => ({ code: 'input_refused', options: { details: { reason, path: 'a.pdf' } } });

test('G3.13 the extractor reads the text of a PDF, up to a limit', async () => {
  expect(await extractText(samplePdf('Price list'), 'a.pdf', 'pdf')).toBe('Price list');
  expect(await extractText(samplePdf('Price list'), 'a.pdf', 'pdf', { limits: { ...textLimits, textLength: 5 } })).toBe('Price\n\n[…]');
});

test('G3.13 the extractor refuses a file that is not a PDF', async () => {
  await expect(extractText(Buffer.from('%PDF-1.4 and nothing else'), 'a.pdf', 'pdf')).rejects.toMatchObject(refusal('pdf_unreadable'));
});

test('G3.13 the extractor kills the process of a PDF that never ends, at its limits of time and of memory', async () => {
  const pdf = endlessPdf();
  for (const limits of [
    { ...textLimits, timeMs: 300 },
    { ...textLimits, memoryBytes: 1 },
  ])
    await expect(extractText(pdf, 'a.pdf', 'pdf', { limits })).rejects.toMatchObject(refusal('pdf_too_costly'));
});

test('G3.13 the process has no environment, and reads, writes and starts nothing', async () => {
  const { code, text } = await runTextProgram(
    Buffer.alloc(0),
    'pdf',
    new URL('../../../support/services/spying-pdf-library.ts', import.meta.url).href,
    textLimits,
  );
  expect({ code, ...JSON.parse(text) }).toEqual({
    code: 0,
    environment: [],
    ...{ reads: 'ERR_ACCESS_DENIED', readsParent: 'ERR_ACCESS_DENIED', writes: 'ERR_ACCESS_DENIED', starts: 'ERR_ACCESS_DENIED' },
  });
});

test('G8.44 the extractor reads the text of DOCX, XLSX and RTF', async () => {
  expect(await extractText(sampleDocx('Договор', 'Пункт 1'), 'a.docx', 'docx')).toBe('Договор\n\nПункт 1\n\n');
  const sheet = [
    ['Товар', 'Цена'],
    ['Ёлка', 12.5],
  ];
  expect(await extractText(sampleXlsx('Цены', sheet), 'a.xlsx', 'xlsx')).toBe('# Цены\n\nТовар\tЦена\nЁлка\t12.5\n');
  const rtf = (await extractText(sampleRtf, 'a.rtf', 'rtf')).replaceAll('\r\n', '\n');
  expect(rtf).toBe('Привет, мир bold\ncafé\na\tb\t\nlink');
});

test('G8.44 a document without text says so: a scan, an empty letter', async () => {
  await expect(extractText(samplePdf(''), 'a.pdf', 'pdf')).rejects.toMatchObject(refusal('pdf_no_text'));
  await expect(extractText(sampleDocx(''), 'a.pdf', 'docx')).rejects.toMatchObject(refusal('document_no_text'));
});

test('G8.44 the extractor refuses a damaged document, and a document that costs too much', async () => {
  const docx = Buffer.from(sampleDocx('Договор'));
  await expect(extractText(docx.subarray(0, docx.length - 40), 'a.pdf', 'docx')).rejects.toMatchObject(refusal('document_unreadable'));
  await expect(extractText(docx, 'a.pdf', 'xlsx')).rejects.toMatchObject(refusal('document_unreadable'));
  await expect(extractText(Buffer.from('{\\rtx'), 'a.pdf', 'rtf')).rejects.toMatchObject(refusal('document_unreadable'));
  const limits = { ...textLimits, memoryBytes: 1 };
  await expect(extractText(docx, 'a.pdf', 'docx', { limits })).rejects.toMatchObject(refusal('document_too_costly'));
});
