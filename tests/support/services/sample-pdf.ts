import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** Returns a PDF of one page with a line of text. */
export function samplePdf(text: string): Buffer {
  return pdfWith(Buffer.from(`BT /F1 24 Tf 72 700 Td (${text}) Tj ET`), '');
}

/** Returns a PDF of this size: a page with lines of text, and as much beside it as pictures would take. */
export function largePdf(bytes: number, lines: readonly string[]): Buffer {
  const text = lines.map((line) => `0 -12 Td (${line.replaceAll(/[()\\]/g, ' ')}) Tj`).join('\n');
  const pdf = pdfWith(Buffer.from(`BT /F1 10 Tf 72 700 Td ${text} ET`), '');
  const trailer = pdf.lastIndexOf('trailer');
  const pictures = randomBytes(bytes - pdf.length - 100);
  return Buffer.concat([
    pdf.subarray(0, trailer),
    Buffer.from(`6 0 obj<</Length ${pictures.length}>>stream\n`),
    pictures,
    Buffer.from('\nendstream endobj\n'),
    pdf.subarray(trailer),
  ]);
}

/** Returns a small PDF whose page unpacks to a hundred megabytes of commands: reading it takes minutes, or all memory. */
export function endlessPdf(): Buffer {
  const commands = Buffer.from('(x) Tj 1 0 0 1 0 0 Tm '.repeat(5_000_000));
  return pdfWith(deflateSync(Buffer.concat([Buffer.from('BT /F1 1 Tf '), commands]), { level: 1 }), '/Filter/FlateDecode');
}

function pdfWith(stream: Buffer, filter: string): Buffer {
  return Buffer.concat([
    Buffer.from(
      [
        '%PDF-1.4',
        '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
        '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 4 0 R>>>>/Contents 5 0 R>>endobj',
        '4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
        `5 0 obj<</Length ${stream.length}${filter}>>stream\n`,
      ].join('\n'),
    ),
    stream,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ]);
}
