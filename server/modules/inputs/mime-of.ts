import { posix } from 'node:path';
import type { InputFile } from '../../../contract/input.ts';
import type { DocumentFormat } from './documents/document-format.ts';

/** The types of text files that are not plain text, by their extension. */
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  css: 'text/css',
  html: 'text/html',
  htm: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  markdown: 'text/markdown',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

export const documentTypes: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  rtf: 'application/rtf',
};

/** Returns the type of a file. It comes from what the file holds, not from what its sender says. */
export function mimeOf(path: string, kind: InputFile['kind']): string {
  if (kind !== 'text') return 'application/octet-stream';
  return types[posix.extname(path).slice(1).toLowerCase()] ?? 'text/plain';
}
