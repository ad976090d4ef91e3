/** The formats whose text is drawn out. */
export type DocumentFormat = 'pdf' | 'docx' | 'xlsx' | 'rtf';

/** Returns the format of a document by what it holds: an Office file is a ZIP with a part of this name. */
export function documentFormatOf(bytes: Uint8Array): DocumentFormat | null {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (content.subarray(0, 1_024).includes('%PDF-')) return 'pdf';
  if (content.subarray(0, 5).equals(Buffer.from('{\\rtf'))) return 'rtf';
  if (!content.subarray(0, 4).equals(Buffer.from('504b0304', 'hex'))) return null;
  if (content.includes('word/document.xml')) return 'docx';
  return content.includes('xl/workbook.xml') ? 'xlsx' : null;
}
