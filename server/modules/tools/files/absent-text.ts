import { fill, type toolWords } from '../schema-tool.ts';
import { findLoosely, type LooseDifference } from './loose-match.ts';
import { nearestLines } from './nearest-lines.ts';

const wordOf = {
  whiteSpace: 'editDiffersWhiteSpace',
  quotes: 'editDiffersQuotes',
  normalForm: 'editDiffersNormalForm',
  entities: 'editDiffersEntities',
  escapes: 'editDiffersEscapes',
} as const satisfies Record<LooseDifference, string>;

/**
 * Returns what a model is told of a text that it looks for and that a file does not have: in what the text differs from one that is there, with both
 * made visible, else the lines that are most like it.
 */
export function absentText(text: string, old: string, path: string, say: (typeof toolWords)['en']): string {
  const plain = text.replaceAll('\r\n', '\n');
  const found = findLoosely(plain, old.replaceAll('\r\n', '\n'));
  if (found) {
    const differs = found.differs.map((one) => say[wordOf[one]]).join(', ');
    const file = found.file.map((line) => `${say.editThere}\t${line}`);
    const given = found.given.map((line) => `${say.editGiven}\t${line}`);
    return [fill(say.editLoose, { path, differs, lines: found.lines.join(', ') }), ...file, ...given].join('\n');
  }
  const lines = nearestLines(plain, old).map((near) => `${near.line}\t${near.text}`);
  return [fill(lines.length > 0 ? say.editNear : say.editAbsent, { path }), ...lines].join('\n');
}
