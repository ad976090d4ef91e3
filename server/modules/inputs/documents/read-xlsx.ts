import type { TextReader } from './text-reader.ts';

type ReadExcelFile = typeof import('read-excel-file/node');

/** Each sheet is a heading and its rows, with tabs between cells. */
export const readText: TextReader = async function* (library, bytes) {
  const { default: readSheets } = (await import(library)) as ReadExcelFile;
  for (const [index, { sheet, data }] of (await readSheets(bytes)).entries()) {
    yield `${index === 0 ? '' : '\n'}# ${sheet}\n\n`;
    for (const row of data) yield `${row.map(cellText).join('\t')}\n`;
  }
};

/** A date at midnight has no time. */
function cellText(value: unknown): string {
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '');
  return value === null || value === undefined ? '' : String(value).replace(/[\t\r\n]+/g, ' ');
}
