import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * After an install: removes files of packages that nothing here reads. They are the C++ headers of the package `node` (67 MB) and the
 * source maps of all packages (123 MB). They are also recheck's Java archive and native program (52 MB): its JavaScript checks regular
 * expressions. The sources, documents and changelogs of the AI SDK (9 MB) are read by people only.
 */
const modules = join(import.meta.dirname, '..', 'node_modules');

for (const folder of [modules, join(modules, 'node', 'node_modules')]) {
  if (!existsSync(folder)) continue;
  for (const name of readdirSync(folder).filter((one) => /^node-(linux|darwin|win)-/.test(one))) {
    rmSync(join(folder, name, 'include'), { recursive: true, force: true });
  }
}
if (existsSync(modules)) {
  for (const name of readdirSync(modules).filter((one) => /^recheck-(jar|linux|macos|windows)/.test(one))) {
    for (const file of ['recheck.jar', 'recheck', 'recheck.exe']) rmSync(join(modules, name, file), { force: true });
  }
  const sdk = join(modules, '@ai-sdk');
  for (const name of existsSync(sdk) ? readdirSync(sdk) : []) {
    for (const unread of ['src', 'docs', 'CHANGELOG.md']) rmSync(join(sdk, name, unread), { recursive: true, force: true });
  }
  removeSourceMaps(modules);
}

function removeSourceMaps(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeSourceMaps(path);
    else if (/\.(js|mjs|cjs|css|ts|mts|cts)\.map$/.test(entry.name)) rmSync(path, { force: true });
  }
}
