/** The comments, strings and words of a language, as far as colours need them. */
export type CodeLanguage = {
  /** Starts a comment up to the end of its line. */
  lineComment: string | null;
  blockComment: readonly [open: string, close: string] | null;
  /** The delimiters of strings; the last ones may span several lines. */
  quotes: string;
  longQuotes: readonly string[];
  keywords: ReadonlySet<string>;
  /** Whether keywords ignore case. */
  anyCase?: true;
};

/** Returns the language of a file by its name; null for a language without colours. */
export function codeLanguage(path: string): CodeLanguage | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = /\.([\w+#-]+)$/.exec(name)?.[1] ?? name;
  return byExtension.get(extension) ?? null;
}

const words = (text: string) => new Set(text.split(' '));

const curly: CodeLanguage = {
  lineComment: '//',
  blockComment: ['/*', '*/'],
  quotes: '"\'',
  longQuotes: ['`'],
  keywords: words(
    'abstract as async await bool boolean break case catch class const continue default defer delete do else enum export extends extern false final finally fn for foreach from func function get go if impl implements import in instanceof int interface internal is let long match mod mut namespace new nil null of override package private protected pub public readonly return satisfies sealed self set static string struct super switch this throw throws trait true try type typeof undefined union unsafe use using val var virtual void when where while with yield',
  ),
};
const hash: CodeLanguage = {
  lineComment: '#',
  blockComment: null,
  quotes: '"\'',
  longQuotes: ['"""', "'''"],
  keywords: words(
    'and as assert async await begin break case class continue def del do done elif else elsif end ensure esac except export false False fi finally for from function global if import in is lambda let local module nil None nonlocal not null or pass raise require rescue return self then true True try unless until when while with yield',
  ),
};
const sheet: CodeLanguage = { ...curly, lineComment: null, longQuotes: [], keywords: words('important from to and not only') };
const sql: CodeLanguage = {
  lineComment: '--',
  blockComment: ['/*', '*/'],
  quotes: '"\'',
  longQuotes: [],
  keywords: words(
    'add all alter and as asc begin between by case check column commit constraint create default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then true union unique update values view when where with',
  ),
  anyCase: true,
};
const markup: CodeLanguage = { lineComment: null, blockComment: ['<!--', '-->'], quotes: '"', longQuotes: [], keywords: new Set() };
const data: CodeLanguage = { lineComment: null, blockComment: null, quotes: '"', longQuotes: [], keywords: words('true false null') };

const byExtension = new Map<string, CodeLanguage>([
  ...[...words('ts tsx mts cts js jsx mjs cjs java kt kts c h cc cpp hpp cs go rs swift php dart scala groovy proto')].map(
    (name) => [name, curly] as const,
  ),
  ...[...words('py rb sh bash zsh yml yaml toml ini conf env dockerfile makefile r pl tf')].map((name) => [name, hash] as const),
  ...[...words('css scss less')].map((name) => [name, sheet] as const),
  ['sql', sql],
  ...[...words('html htm xml svg vue svelte')].map((name) => [name, markup] as const),
  ['json', data],
]);
