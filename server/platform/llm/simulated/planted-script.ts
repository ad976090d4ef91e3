import { posix } from 'node:path';
import { faults } from './planted-fault.ts';
import type { PlantedFile, PlantedWords, SeenRepository } from './planted-tests.ts';

/** A test of JavaScript or TypeScript by its name, or by its folder. */
const named = /(?:[._-](?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)test(?:-[^/]*)?\.[cm]?[jt]sx?)$/;
const inFolder = /(?:^|\/)(?:tests?|__tests__|specs?)\/[^/]*\.[cm]?[jt]sx?$/;
const notOwn = /(?:^|\/)(?:node_modules|fixtures?|dist|e2e)\/|\.d\.[cm]?ts$/;

/** What is imported of a program for tests; null for one whose functions are there without it. `end`: the last line that its tests need. */
type Program = { name: string; from: string; end?: string } | null;

const programs: readonly [RegExp, Program][] = [
  [/\bnode:test\b|\bnode\b[^"&|]{0,80}--test\b/, { name: '{ test }', from: 'node:test' }],
  [/['"]bun:test['"]/, { name: '{ test }', from: 'bun:test' }],
  [/['"]vitest['"]/, { name: '{ test }', from: 'vitest' }],
  [/@jest\/globals/, { name: '{ test }', from: '@jest/globals' }],
  [/['"]ava['"]/, { name: 'test', from: 'ava', end: '  t.pass();\n' }],
  [/['"]tape['"]/, { name: 'test', from: 'tape', end: '  t.end();\n' }],
  [/\b(?:jest|mocha)\b/, null],
];

/** Returns the manifest of a repository and the simplest of its tests, where it has them. */
export function scriptSample(paths: readonly string[]): string[] {
  return [...paths.filter((path) => path === 'package.json'), ...[sampleOf(paths)].flatMap((path) => path ?? [])];
}

function sampleOf(paths: readonly string[]): string | undefined {
  const own = paths.filter((path) => !notOwn.test(path)).toSorted((a, b) => a.length - b.length);
  return own.find((path) => named.test(path)) ?? own.find((path) => inFolder.test(path));
}

/** Returns a rule with a fault beside the source file, and its test beside the tests of a repository, in the form of both. */
export function plantedScript(
  { paths, textOf, source }: SeenRepository,
  { note, main, boundary, accepted }: PlantedWords,
  command: string,
): PlantedFile[] {
  const sample = sampleOf(paths);
  const [text, manifest] = [sample ? textOf(sample) : '', textOf('package.json')];
  const model = sample ?? (/\.[cm]?[jt]sx?$/.test(source) ? source : 'index.js');
  const extension = model.slice(model.lastIndexOf('.') + 1).replace('x', '');
  const isTyped = extension.endsWith('ts');
  const isModule = isTyped || extension === 'mjs' || (extension === 'js' && isEsm(text, manifest));
  const [known] = [text, command, manifest].flatMap((where) => programs.filter(([words]) => words.test(where)).slice(0, 1));
  // Its functions are there without an import: of Jest and Mocha, and of a test that imports no known program.
  const program = known ? known[1] : sample ? null : (programs[0]?.[1] ?? null);
  const test = program || /^[ \t]{0,40}test\(/m.test(text) ? 'test' : 'it';

  const folder = /\.[cm]?[jt]sx?$/.test(source) ? posix.dirname(source) : '.';
  const rule = posix.join(folder, `simulated-change.${extension}`);
  const path = testPath(sample, extension);
  const place = posix.relative(posix.dirname(path), rule);
  const dotted = place.startsWith('.') ? place : `./${place}`;
  const specifier = isTyped && program !== programs[0]?.[1] ? dotted.slice(0, -1 - extension.length) : dotted;
  const type = isTyped ? ': string' : '';
  const importOf = (name: string, from: string) => (isModule ? `import ${name} from ${from};` : `const ${name} = require(${from});`);
  const imports = [...(program ? [importOf(program.name, `'${program.from}'`)] : []), importOf('{ accepts }', JSON.stringify(specifier))];
  const end = program?.end ?? '';
  const begin = end === '' ? '() => {' : '(t) => {';
  return [
    {
      path: rule,
      content: isModule
        ? `// ${note}\nexport function accepts(value${type}) {\n  return ${faults.script.old};\n}\n`
        : `// ${note}\nexports.accepts = (value) => ${faults.script.old};\n`,
    },
    {
      path,
      content: `// ${note}
${imports.join('\n')}

${test}(${JSON.stringify(main)}, ${begin}
  if (!accepts('a')) throw new Error('a');
${end}});

${test}(${JSON.stringify(boundary)}, ${begin}
  if (accepts('')) throw new Error(${JSON.stringify(`${rule}: ${accepted}`)});
${end}});
`,
    },
  ];
}

/** Whether a file of a repository is a module: as its tests are written, else as its manifest says. */
function isEsm(sample: string, manifest: string): boolean {
  if (/^import\b/m.test(sample)) return true;
  return /\brequire\(/.test(sample) ? false : /"type"\s*:\s*"module"/.test(manifest);
}

/** Returns the path of a test that stands beside another one and is named like it. */
function testPath(sample: string | undefined, extension: string): string {
  if (sample === undefined) return `test/simulated-change.test.${extension}`;
  const name = posix.basename(sample);
  const mark = /([._-](?:test|spec))\.\w+$/.exec(name)?.[1];
  const own = mark ? `simulated-change${mark}` : inFolder.test(sample) ? 'simulated-change' : 'simulated-change.test';
  return posix.join(posix.dirname(sample), `${own}.${extension}`);
}
