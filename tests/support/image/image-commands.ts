import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const npm = join(import.meta.dirname, 'npm-of-image.ts');

/**
 * Makes a folder of commands for the RUN lines of an image, and returns it. `npm` puts the packages of this checkout in place. `apt-get` and
 * `chown` do nothing: they change the system. `node` is the one that runs the tests. Every other command is that of this machine.
 */
export async function imageCommands(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await symlink(process.execPath, join(folder, 'node'));
  const scripts = { npm: `exec ${[process.execPath, npm].map(quoted).join(' ')} "$@"`, 'apt-get': 'exit 0', chown: 'exit 0' };
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
