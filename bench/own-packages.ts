import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the packages that a benchmark keeps in its own folder, once. Throws when that fails. */
export function installOwnPackages(folder: string): void {
  if (existsSync(join(folder, 'node_modules'))) return;
  console.log('Installing what the benchmark measures with (once).');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}`);
}
