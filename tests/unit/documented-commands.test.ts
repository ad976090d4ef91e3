import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandProof, commandProofs, pageProofs } from '../support/docs/command-proofs.ts';
import { shellCommands, tableCommands } from '../support/docs/shell-commands.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/{,ru/}*.md', { cwd: root })].toSorted();
const translated = globSync('docs/ru/*.md', { cwd: root }).map((path) => path.replace('docs/ru/', ''));
const commandsOf = (page: string) => (page in pageProofs ? [] : [...shellCommands(read(page)), ...tableCommands(read(page))]);

test('a shell block gives its commands without comments, and a command of several lines as one', () => {
  const block = (lines: string[]) => ['Text', '', '```sh', ...lines, '```', '', '```json', '{}', '```', ''].join('\n');
  expect(shellCommands(block(['npm start      # in a terminal', '# stop it', '', 'echo "# kept"']))).toEqual([
    'npm start',
    'echo "# kept"',
  ]);
  expect(shellCommands(block(['curl -d "{', `  it's \\"so\\"`, '}" \\', '  http://localhost', 'ls']))).toEqual([
    'curl -d "{\n  it\'s \\"so\\"\n}" \\\n  http://localhost',
    'ls',
  ]);
});

test.each(pages)('every command of %s is executed by a test, or has a reason why it cannot be', (page) => {
  expect(commandsOf(page).filter((command) => !(command in commandProofs))).toEqual([]);
});

test('every proof of a command belongs to a command of a document, and every page with a proof has commands', () => {
  const commands = new Set(pages.flatMap(commandsOf));
  expect(commands.size).toBeGreaterThan(30);
  expect(Object.keys(commandProofs).filter((command) => !commands.has(command))).toEqual([]);
  expect(Object.keys(pageProofs).filter((page) => shellCommands(read(page)).length === 0)).toEqual([]);
});

test('every test that is named for a command has that command, or the words that stand for it', () => {
  const proofs: [string, CommandProof][] = [...Object.entries(commandProofs), ...Object.entries(pageProofs)];
  const missing = proofs.filter(([command, proof]) => {
    if ('cannot' in proof) return proof.cannot.length < 20;
    return !existsSync(join(root, proof.test)) || !read(proof.test).includes(proof.as ?? command);
  });
  expect(missing.map(([command]) => command)).toEqual([]);
});

test.each(pages)('%s has its commands in fenced blocks that name their language', (page) => {
  const outside = read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
  expect(outside.match(/(?<=\n\n) {4}\S.*/g) ?? []).toEqual([]);
  const fences = read(page).match(/^```.*$/gm) ?? [];
  expect(fences.filter((fence, index) => (fence === '```') !== (index % 2 === 1))).toEqual([]);
});

test('what a newcomer reads is there in Russian', () => {
  expect(translated.toSorted()).toEqual(expect.arrayContaining(['first-run.md', 'models.md', 'operation.md', 'ticket-to-pull-request.md']));
});

test.each(translated)('the Russian %s has the headings, tables, lists and code of the English one', (name) => {
  const shape = (path: string) => {
    const text = read(path);
    const blocks = text.match(/^```[\s\S]*?^```$/gm) ?? [];
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
    return {
      headings: (prose.match(/^#+(?= )/gm) ?? []).map((marks) => marks.length),
      // Comments are translated, and all else of a block stays.
      code: blocks.map((block) => block.replaceAll(/\s+# .*$/gm, '')),
      rows: (prose.match(/^\|/gm) ?? []).length,
      items: (prose.match(/^(?:- |\d+\. )/gm) ?? []).length,
      names: [...new Set(prose.match(/`[A-Z][A-Z_]{3,}`/g) ?? [])].toSorted(),
    };
  };
  expect(shape(`docs/ru/${name}`)).toEqual(shape(`docs/${name}`));
});
