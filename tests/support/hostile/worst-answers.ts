/** The maximum length of a model's answer: 1 MiB. */
const answerLength = 1_000_000;

const filled = (piece: string, begin = '', end = '') =>
  `${begin}${piece.repeat(Math.floor((answerLength - begin.length - end.length) / Buffer.byteLength(piece)))}${end}`;

/** Texts with the highest cost for the parsers of answers: file blocks, headings, reasoning, results. */
export const worstAnswers: Record<string, string> = {
  'one line of tildes': filled('~', '', '\u2028 path=a'),
  'tildes between separators': filled('~~~\u2028'),
  'spaces before a mark': filled(' ', 'path=\n', 'x'),
  'list marks and spaces': filled(' \t', 'path=\n- ', 'x'),
  'open fences': filled('```a path=b\n'),
  'short fences': filled('```\n', 'path=\n'),
  'closed blocks': filled('```a path=b\n```\n'),
  'one block of empty lines': filled('\n', '```a path=b\n', '```\n'),
  'one indented block': filled(' x\n', '- ```a path=b\n', '  ```\n'),
  'many small files': Array.from({ length: 30_000 }, (_, index) => `\`\`\`a path=d/${index}\nx\n\`\`\`\n`)
    .join('')
    .slice(0, answerLength),
  'a deep path': filled('a/', '```a path=', 'b\nx\n```\n'),
  headings: filled('# Answer\n'),
  'lines that begin as headings': filled('**answer\n'),
  'a heading of spaces': filled(' ', '# Answer', 'x'),
  'a heading of hashes': filled('#', '# **Answer ', 'x'),
  'reasoning that never ends': filled('<think>'),
  'empty lines': filled('\n', 'path=x', 'x'),
  'white space': filled(' \u2028\t', 'x', 'x'),
  'brackets and quotes': filled('[{"`('),
};
