import { spawnSync } from 'node:child_process';
import { findNats, natsMissing } from './cluster/local-nats.ts';
import { installDebianPackage } from './debian-package.ts';

/**
 * Provides what some tests of servers need, and installs Debian's as root: a NATS server for those of several servers, and bubblewrap for those of
 * the runner. Without one, prints one line: all other tests can run.
 */
if (findNats() === null) {
  console.log('No nats-server found: looking for the one of Debian.');
  installDebianPackage('nats-server');
  if (findNats() === null) console.log(`${natsMissing} The tests that are about it are left out.`);
}
if (!hasBubblewrap()) {
  console.log('No bubblewrap found: looking for the one of Debian.');
  installDebianPackage('bubblewrap');
  if (!hasBubblewrap())
    console.log(
      'The runner needs bubblewrap (Debian: sudo apt-get install bubblewrap). The tests that are about it are left out, and those of a network without a route.',
    );
}

function hasBubblewrap(): boolean {
  return spawnSync('bwrap', ['--version'], { stdio: 'ignore' }).status === 0;
}
