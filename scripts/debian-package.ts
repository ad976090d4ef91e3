import { spawnSync } from 'node:child_process';

/** Installs a Debian package when this is root on Debian, and shows the output of apt. The caller checks the outcome. */
export function installDebianPackage(name: string): void {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (!isRoot || !succeeds(['--version'], 'ignore')) return;
  succeeds(['update'], 'inherit');
  succeeds(['install', '-y', '--no-install-recommends', name], 'inherit');
}

function succeeds(args: string[], stdio: 'inherit' | 'ignore'): boolean {
  return spawnSync('apt-get', args, { stdio, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
}
