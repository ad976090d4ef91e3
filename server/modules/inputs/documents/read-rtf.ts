import { Readable, Transform } from 'node:stream';
import type { TextReader } from './text-reader.ts';

/** A part of RTF as the library names it: the start and the end of a group, a control word, or text. */
type Token = { type: 0 | 1 | 2 | 3; word?: string; param?: number };
const [groupStart, groupEnd, control] = [0, 1, 2];

type Tokenizer = { Tokenize: new () => Transform };
type PlainText = { ToPlainText: new (options: object) => Transform };

/** Groups whose text is no part of the document. */
const hidden = new Set(['info', 'pict', 'object', 'stylesheet', 'colortbl', 'themedata', 'datastore', 'xmlnstbl', 'listtable']);
/** What separates cells and rows, in the words that the library knows. */
const separators = new Map([
  ['cell', 'tab'],
  ['row', 'par'],
  ['sect', 'par'],
  ['page', 'par'],
]);

export const readText: TextReader = async function* (library, bytes) {
  const { Tokenize } = (await import(new URL('tokenize.js', library).href)) as Tokenizer;
  const { ToPlainText } = (await import(new URL('ToPlainText.js', library).href)) as PlainText;
  const stages = [new Tokenize(), withoutHidden(), new ToPlainText({ decode, warn: () => {} })];
  const text = stages.reduce<Readable>(
    (from, stage) => {
      from.on('error', (error) => stage.destroy(error));
      return from.pipe(stage);
    },
    Readable.from([bytes]),
  );
  for await (const part of text) yield String(part);
};

function withoutHidden(): Transform {
  let depth = 0;
  let hiddenFrom: number | null = null;
  return new Transform({
    objectMode: true,
    transform(token: Token, _encoding, done) {
      if (token.type === groupStart) depth += 1;
      if (token.type === groupEnd) {
        if (hiddenFrom === depth) hiddenFrom = null;
        depth -= 1;
      }
      if (token.type === control && hiddenFrom === null && hidden.has(token.word ?? '')) hiddenFrom = depth;
      if (hiddenFrom !== null) return done();
      const separator = token.type === control ? separators.get(token.word ?? '') : undefined;
      done(null, separator === undefined ? token : { ...token, word: separator });
    },
  });
}

/** The names of code pages that are not `windows-` and their number. */
const names = new Map([
  ['cp866', 'ibm866'],
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['cp10000', 'macintosh'],
  ['cp10007', 'x-mac-cyrillic'],
  ['cp20866', 'koi8-r'],
  ['cp65001', 'utf-8'],
]);

function decode(text: Buffer | string, page: string): string {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  const label = names.get(page) ?? (/^cp(125[0-8]|874)$/.test(page) ? page.replace('cp', 'windows-') : 'windows-1252');
  return new TextDecoder(label).decode(bytes);
}
