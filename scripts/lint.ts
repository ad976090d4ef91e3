import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** `npm run lint`: format, lint and import rules by Biome, and files, exports and packages that nothing uses by knip, at the same time. */
const root = join(import.meta.dirname, '..');
const linters = [
  ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
];

const failed = (await Promise.all(linters.map(succeeds))).filter((succeeded) => !succeeded);
process.exitCode = failed.length === 0 ? 0 : 1;

/** The output of a linter is one piece, so that those of two are not mixed. */
function succeeds([program = '', ...args]: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, program), ...args], { cwd: root });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}
