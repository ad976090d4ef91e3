import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The configuration of linter and compilers in the real tree. */
const rules = [
  '.gitignore',
  'biome.json',
  'scripts/lint/clocks.grit',
  'scripts/lint/connections.grit',
  'scripts/lint/module-order.grit',
  'tsconfig.base.json',
  'tsconfig.json',
  'contract/tsconfig.json',
  'rules/tsconfig.json',
  'src/model/tsconfig.json',
  'src/workers/engine/tsconfig.json',
  'server/tsconfig.json',
];

export type Finding = { file: string; rule: string };

/** A tree with the project's rules and only the files that a test adds. */
export class PlantedTree {
  readonly folder = mkdtempSync(join(tmpdir(), 'artel fences '));

  constructor() {
    for (const file of rules) cpSync(join(root, file), join(this.folder, file));
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'), 'junction');
  }

  plant(file: string, source: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), source);
  }

  /** Every finding of the linter, without formatting and import order. */
  lint(): Finding[] {
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const { stdout, stderr } = run([biome, 'lint', '--reporter=github', '--max-diagnostics=none', '.'], this.folder);
    if (!stdout.includes('::') && !stderr.includes('Checked')) throw new Error(`The linter did not run: ${stderr}`);
    return [...stdout.matchAll(/^::\w+ title=([^,]+),file=([^,]+),/gm)].map(([, rule = '', file = '']) => ({
      rule,
      file: this.#relative(file),
    }));
  }

  /** Every error of the compiler that checks one side. */
  compile(side: string): Finding[] {
    const { stdout, stderr } = run(
      [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--pretty', 'false', '-p', side],
      this.folder,
    );
    if (stderr !== '') throw new Error(`The compiler did not run: ${stderr}`);
    return [...stdout.matchAll(/^(\S[^(]*)\(\d+,\d+\): error (TS\d+)/gm)].map(([, file = '', rule = '']) => ({
      rule,
      file: this.#relative(file),
    }));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #relative(file: string): string {
    return file.startsWith(this.folder) ? file.slice(this.folder.length + 1) : file;
  }
}

function run(args: string[], cwd: string) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 32 * 1024 * 1024 });
}
