import { join } from 'node:path';
import { runCollected } from './run-collected.ts';

/** `npm run lint`: format, lint and import rules by Biome, and files, exports and packages that nothing uses by knip, at the same time. */
const root = join(import.meta.dirname, '..');
const linters = [
  ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
];

for (const { code, output } of await Promise.all(linters.map((linter) => runCollected(linter, root)))) {
  process.stdout.write(output);
  if (code !== 0) process.exitCode = 1;
}
