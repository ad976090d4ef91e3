import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';

/** Names that the list of languages lacks, by the extension whose colours they take. */
const sameAs: Record<string, string> = {
  zsh: 'sh',
  makefile: 'sh',
  env: 'properties',
  conf: 'properties',
  tf: 'properties',
  svelte: 'html',
};

/** Returns the language of a file by its name, which is loaded by itself; null for a text without colours. */
export function codeLanguage(path: string): LanguageDescription | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const other = sameAs[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  return LanguageDescription.matchFilename(languages, other === undefined ? name : `a.${other}`);
}
