import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { setUpFolder } from '../support/set-up/for-vitest.ts';

const program = join(import.meta.dirname, '../../scripts/package/artel.js');
const folder = setUpFolder();

/** What Node 14 has not: the loader of this Node is told that it has no `parseArgs`, and the program that it is Node 14. */
const old = `data:text/javascript,${encodeURIComponent(`
  import util from 'node:util';
  import { syncBuiltinESMExports } from 'node:module';
  delete util.parseArgs;
  delete Object.hasOwn;
  syncBuiltinESMExports();
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '14.21.3' } });
`)}`;

test('R10.01 artel on an old Node says which is needed, and goes on with the one that is installed beside it', async () => {
  const call = (file: string) =>
    promisify(execFile)(process.execPath, [`--import=${old}`, file, 'help']).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    );
  const alone = join(folder.path, 'artel.js');
  await copyFile(program, alone);
  await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
  expect(await call(alone)).toBe('Artel needs Node 24 or newer, and this is 14.21.3: install one from https://nodejs.org\n');
  expect(await call(program)).toContain('artel backup FILE');
});

test.each([[['--data', '/nowhere']], [['--data=/nowhere']]])(
  'R10.01 the folder may stand before the command of artel: %j',
  async (data) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...data, 'help']);
    expect(stdout).toContain('artel backup FILE');
  },
);
