import { execSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { linkTree } from './copy-files.ts';

/**
 * The command `npm` in a RUN line of an image. `npm ci` links the packages of this checkout that the lock file names and the options leave, and
 * runs the scripts of the project's own package. So it needs no network, and takes a second. What changes only npm itself does nothing.
 */
type LockedPackage = { dev?: boolean; optional?: boolean; devOptional?: boolean };

const installed = join(import.meta.dirname, '..', '..', '..', 'node_modules');
const [command = '', ...options] = process.argv.slice(2);
if (command === 'ci') installPackages();
else if (!(command === 'cache' || (command === 'install' && options.includes('--global')))) {
  throw new Error(`No test knows npm ${[command, ...options].join(' ')}.`);
}

function installPackages(): void {
  const { scripts = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts?: Record<string, string> };
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };
  for (const [path, locked] of Object.entries(lock.packages)) {
    const source = join(installed, '..', path);
    if (path === '' || isOmitted(locked)) continue;
    // A program for another system is not installed here.
    if (existsSync(source)) linkTree(source, path, (name) => name === 'node_modules');
    else if (!locked.optional) throw new Error(`${path} is not installed in this checkout.`);
  }
  linkPrograms();
  if (options.includes('--ignore-scripts')) return;
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
    if (scripts[name] !== undefined) execSync(scripts[name], { stdio: 'inherit' });
  }
}

function isOmitted({ dev = false, optional = false, devOptional = false }: LockedPackage): boolean {
  const omits = (kind: string) => options.includes(`--omit=${kind}`);
  return (dev && omits('dev')) || (optional && omits('optional')) || (devOptional && omits('dev') && omits('optional'));
}

/** The links of `.bin` that lead to a package which is there. */
function linkPrograms(): void {
  const [from, to] = [join(installed, '.bin'), 'node_modules/.bin'];
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const target = readlinkSync(join(from, name));
    if (existsSync(resolve(to, target))) symlinkSync(target, join(to, name));
  }
}
