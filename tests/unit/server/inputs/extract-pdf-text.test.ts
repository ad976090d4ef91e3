import { expect, test } from 'vitest';
import { extractPdfText, pdfLimits, runPdfProgram } from '../../../../server/modules/inputs/pdf/extract-pdf-text.ts';
import { endlessPdf, samplePdf } from '../../../support/services/sample-pdf.ts';

const refusal = (reason: string) => ({ code: 'input_refused', options: { details: { reason, path: 'a.pdf' } } });

test('G3.13 draws the text out of a PDF, up to a limit', async () => {
  expect(await extractPdfText(samplePdf('Price list'), 'a.pdf')).toBe('Price list');
  expect(await extractPdfText(samplePdf('Price list'), 'a.pdf', { ...pdfLimits, textLength: 5 })).toBe('Price\n\n[…]');
});

test('G3.13 refuses what is no PDF', async () => {
  await expect(extractPdfText(Buffer.from('%PDF-1.4 and nothing else'), 'a.pdf')).rejects.toMatchObject(refusal('pdf_unreadable'));
});

test('G3.13 kills the process of a PDF that never ends, at its limits of time and of memory', async () => {
  const pdf = endlessPdf();
  for (const limits of [
    { ...pdfLimits, timeMs: 300 },
    { ...pdfLimits, memoryBytes: 1 },
  ])
    await expect(extractPdfText(pdf, 'a.pdf', limits)).rejects.toMatchObject(refusal('pdf_too_costly'));
});

test('G3.13 the process has no environment, and reads, writes and starts nothing', async () => {
  const { code, text } = await runPdfProgram(
    Buffer.alloc(0),
    new URL('../../../support/services/spying-pdf-library.ts', import.meta.url).href,
    pdfLimits,
  );
  expect({ code, ...JSON.parse(text) }).toEqual({
    code: 0,
    environment: [],
    ...{ reads: 'ERR_ACCESS_DENIED', readsParent: 'ERR_ACCESS_DENIED', writes: 'ERR_ACCESS_DENIED', starts: 'ERR_ACCESS_DENIED' },
  });
});
