import { findNats, natsMissing } from './cluster/local-nats.ts';
import { installDebianPackage } from './debian-package.ts';

let asked = false;

/**
 * Provides a NATS server for the tests of several servers, and installs Debian's as root. Without one it prints
 * one line and returns null, since all other tests can run.
 */
export async function ensureNats(): Promise<null> {
  if (findNats() !== null || asked) return null;
  asked = true;
  console.log('No nats-server found: looking for the one of Debian.');
  installDebianPackage('nats-server');
  if (findNats() === null) console.log(`${natsMissing} The tests that are about it are left out.`);
  return null;
}
