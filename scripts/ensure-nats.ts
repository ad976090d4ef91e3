import { findNats, natsMissing } from './cluster/local-nats.ts';
import { installDebianPackage } from './debian-package.ts';

let asked = false;

/**
 * Makes a NATS server available to the tests that are about several servers, installing Debian's as root. Where there is none, says
 * so in one line and answers null all the same: everything else can be tested without.
 */
export async function ensureNats(): Promise<null> {
  if (findNats() !== null || asked) return null;
  asked = true;
  console.log('No nats-server found: looking for the one of Debian.');
  installDebianPackage('nats-server');
  if (findNats() === null) console.log(`${natsMissing} The tests that are about it are left out.`);
  return null;
}
