import { spawnSync } from 'node:child_process';

/** Installs a package of Debian when this is root on a system that has such; what apt says is shown. What came of it is the caller's to see. */
export function installDebianPackage(name: string): void {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (!isRoot || !succeeds(['--version'], 'ignore')) return;
  succeeds(['update'], 'inherit');
  succeeds(['install', '-y', '--no-install-recommends', name], 'inherit');
}

function succeeds(args: string[], stdio: 'inherit' | 'ignore'): boolean {
  return spawnSync('apt-get', args, { stdio, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
}
