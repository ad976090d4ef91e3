import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API } from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '../../..');
/** Only the compiler sees it. */
const config = join(root, 'tests/changed.tsconfig.json');
/** The texts of the page by their keys. */
const texts = 'src/ui/i18n/resources.d.ts';

/** A text of a source, and what stands in its place. */
export type Change = { file: string; text: string; becomes: string };

/** Returns the errors that the compiler finds in some files once sources are changed, by file. No file is written, and no other file is checked. */
export function readTypeErrors(changes: readonly Change[], files: readonly string[]): Map<string, string[]> {
  const sources = new Map([
    [config, JSON.stringify({ extends: './tsconfig.json', include: [], files: [texts, ...files].map((file) => `../${file}`) })],
  ]);
  for (const { file, text, becomes } of changes) {
    const path = join(root, file);
    const source = sources.get(path) ?? readFileSync(path, 'utf8');
    if (!source.includes(text)) throw new Error(`${file} does not contain “${text}”.`);
    sources.set(path, source.replace(text, becomes));
  }
  const api = new API({ cwd: root, fs: { readFile: (path) => sources.get(join(path)) } });
  try {
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    if (!program) throw new Error('The compiler opened no program.');
    return new Map(files.map((file) => [file, program.getSemanticDiagnostics(join(root, file)).map(({ text }) => text)]));
  } finally {
    api.close();
  }
}
