import { strToU8, zipSync } from 'fflate';

const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
const schemas = 'http://schemas.openxmlformats.org';
const types = (part: string, type: string) =>
  xml(
    `<Types xmlns="${schemas}/package/2006/content-types"><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  );
const relation = (type: string, target: string) =>
  xml(
    `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${schemas}/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`,
  );

/** Returns a Word document of these paragraphs, in XML. */
export function sampleDocx(...paragraphs: string[]): Uint8Array {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  return zipSync({
    '[Content_Types].xml': types('word/document.xml', 'wordprocessingml.document'),
    '_rels/.rels': relation('officeDocument', 'word/document.xml'),
    'word/document.xml': xml(`<w:document xmlns:w="${schemas}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`),
  });
}

/** Returns an Excel file of one sheet. */
export function sampleXlsx(sheet: string, rows: (string | number)[][]): Uint8Array {
  const cell = (value: string | number, at: string) =>
    typeof value === 'number' ? `<c r="${at}"><v>${value}</v></c>` : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const data = rows.map(
    (row, index) =>
      `<row r="${index + 1}">${row.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${index + 1}`)).join('')}</row>`,
  );
  return zipSync({
    '[Content_Types].xml': types('xl/workbook.xml', 'spreadsheetml.sheet'),
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships"><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': xml(
      `<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><sheetData>${data.join('')}</sheetData></worksheet>`,
    ),
  });
}

/** An RTF of Word: fonts of two code pages, characters by number, a table, and parts that are not its text. */
export const sampleRtf = Buffer.from(
  String.raw`{\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0\fcharset204 Arial;}{\f1\fcharset0 Times;}}{\info{\author Ann}}\uc1\pard\f0 ` +
    String.raw`\'cf\'f0\'e8\'e2\'e5\'f2, \u1084?\u1080?\u1088?{\b  bold}\par {\pict\pngblip 89504e47}\f1 caf\'e9\par a\cell b\cell\row ` +
    String.raw`{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}}`,
);
