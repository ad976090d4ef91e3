import { findNats, natsMissing } from './cluster/local-nats.ts';
import { installDebianPackage } from './debian-package.ts';

/** Provides a NATS server for the tests of several servers: installs Debian's as root. Without one, prints one line: all other tests can run. */
if (findNats() === null) {
  console.log('No nats-server found: looking for the one of Debian.');
  installDebianPackage('nats-server');
  if (findNats() === null) console.log(`${natsMissing} The tests that are about it are left out.`);
}
