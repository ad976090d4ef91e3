import { join } from 'node:path';
import { dropStaleTypes } from './drop-stale-types.ts';
import { runCollected } from './run-collected.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache/types');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/**
 * One compiler run a side, each with the library that the side may use. They run at the same time, so each has one checker: four would check
 * shared types four times. The compiler keeps what it has checked for the next run.
 */
export const sides = ['.', 'contract', 'rules', 'src/model', 'src/workers/engine', 'server', 'tests'];

dropStaleTypes({ cache, texts: join(root, 'locales/ru'), side: fileOf('.') });
const outcomes = await Promise.all(sides.map(check));
for (const { side, code, output } of outcomes) {
  if (code !== 0) process.stdout.write(`types: ${side === '.' ? 'src' : side}\n${output}\n`);
}
const failed = outcomes.filter(({ code }) => code !== 0).length;
console.log(`types: ${sides.length - failed} of ${sides.length} sides compile`);
process.exitCode = failed === 0 ? 0 : 1;

async function check(side: string): Promise<{ side: string; code: number | null; output: string }> {
  const cached = ['--incremental', '--tsBuildInfoFile', join(cache, fileOf(side))];
  return { side, ...(await runCollected([compiler, '--noEmit', '--pretty', 'false', '--checkers', '1', ...cached, '-p', side], root)) };
}

function fileOf(side: string): string {
  return `${side.replaceAll('/', '-')}.tsbuildinfo`;
}
