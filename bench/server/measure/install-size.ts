import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

type InstallSize = { wholeMb: number; withoutToolsMb: number; packages: number };

/** The size of an installation on disk: all of it, and without the development dependencies of package-lock.json. */
export async function installSize(root: string): Promise<InstallSize> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean }> };
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  const tools = packages.filter(([, { dev }]) => dev === true).map(([path]) => path);
  const outermost = tools.filter((path) => !tools.some((other) => path.startsWith(`${other}/`)));
  const whole = await bytesIn(`${join(root, 'node_modules')}/`);
  const toolBytes = await Promise.all(outermost.map((path) => bytesIn(join(root, path))));
  const installed = await Promise.all(packages.map(([path]) => lstat(join(root, path)).catch(() => null)));
  return {
    wholeMb: whole / 1e6,
    withoutToolsMb: (whole - toolBytes.reduce((sum, bytes) => sum + bytes, 0)) / 1e6,
    packages: installed.filter((found) => found !== null).length,
  };
}

/** Bytes on disk; a file that has several names counts once. */
async function bytesIn(folder: string, seen = new Set<number>()): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await bytesIn(path, seen);
    const info = await lstat(path);
    if (seen.has(info.ino)) continue;
    seen.add(info.ino);
    bytes += info.blocks * 512;
  }
  return bytes;
}
