import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { problemOfPath } from '../../scripts/checkout-path.ts';
import { preload } from '../support/preload.ts';

/**
 * The path of a checkout can have spaces, letters of any language, quotes and percent signs. So each path that a process gets is an argument of
 * its own, the value of its own variable, or a URL.
 */
const root = join(import.meta.dirname, '../..');
const rules: [title: string, pattern: RegExp, found: string][] = [
  [
    'loads a module before a program without preload()',
    /--(?:import|require|loader|experimental-loader)[= ]\$\{/,
    ['--import=', '{join(import.meta.dirname, file)}'].join('$'),
  ],
  ['puts a path into NODE_OPTIONS', /NODE_OPTIONS:[^,}\n]*\b(?:join|resolve|dirname|root)\b/, '{ NODE_OPTIONS: join(root, file) }'],
  [
    'takes the path of a file from a URL without fileURLToPath()',
    /import\.meta\.(?:url|resolve\([^)]*\))\)\.pathname/,
    "new URL('./worker.ts', import.meta.url).pathname",
  ],
  ['imports a path that is not a URL', /\bimport\((?:join|resolve|`\/|`\$\{)/, 'await import(join(folder, name))'],
  [
    'lets a shell read a path as a part of a command',
    /\b(?:exec|execSync)\(`[^`]*\$\{|\bshell: true|sh', \[[^\]`]*'-c', `[^`]*\$\{(?!seconds\}|command\})/,
    'exec(command, { shell: true })',
  ],
];
const folders = '{async,bench,contract,deploy,rules,scripts,server,src,tests}';
const files = globSync([`${folders}/**/*.{ts,tsx,js,mjs}`, '*.ts'], {
  cwd: root,
  exclude: (name) => /node_modules|dist/.test(String(name)),
});

test.each(rules)('no file %s', (_title, pattern, found) => {
  expect(found).toMatch(pattern);
  const own = ['tests/support/preload.ts', 'tests/unit/paths-for-processes.test.ts'];
  // The settings of an operator's servers, where `shell: true` is refused; what Node of any version begins with in a sandbox, in quotes that it reads;
  // a module whose address is its text.
  const ofText = [
    'tests/unit/server/platform/operator-servers.test.ts',
    'deploy/runner/sandboxed-command.ts',
    'tests/unit/package-command.test.ts',
  ];
  expect(files.filter((file) => ![...own, ...ofText].includes(file) && pattern.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test('a command of package.json names files from the root, without the folder of the checkout', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  expect(Object.values(scripts).filter((command) => /\$PWD|\$INIT_CWD|npm_config_local_prefix|(^|\s)\//.test(command))).toEqual([]);
});

test('the option for a module that is loaded first has no character at which NODE_OPTIONS is split', () => {
  const option = preload('folder of Анна "x" 100%/module.ts');
  expect(option).toMatch(/^--import=file:\/\/\/[^\s"'\\]+\/module\.ts$/);
  expect(option).toBe(`--import=${pathToFileURL(join(root, 'tests/support/folder of Анна "x" 100%/module.ts')).href}`);
});

test('only a folder whose path Vite cannot read is refused, with the cure', () => {
  expect(problemOfPath('/home/Анна/мой $проект %20 "1" & `2`')).toBeNull();
  for (const path of ['/home/c#/artel', '/home/what?/artel']) expect(problemOfPath(path)).toContain(`${path}: rename the folder`);
});
