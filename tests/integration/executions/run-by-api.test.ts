import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { setUpServer } from '../../support/set-up/for-vitest.ts';

const run = promisify(execFile);
/** The page uses both; a machine may lack them. */
const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const server = setUpServer();

test.runIf(hasTools)(
  'G1.03 the commands of docs/run-by-api.md make a graph, run it, answer its question, and read its result',
  async () => {
    const ann = await signUp(server.url);
    const page = await readFile(join(import.meta.dirname, '../../../docs/run-by-api.md'), 'utf8');
    const commands = [...page.matchAll(/```sh\n([^`]*)```/g)].map(([, block]) => block).join('\n');
    const env = { ...process.env, ARTEL_API: `${server.url}/api`, ARTEL_EMAIL: ann.email, ARTEL_PASSWORD: 'a long quiet river' };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], { env });
    const lines = stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual(['May this be shipped?', 'Ship', 'Change']);
    const answered = lines.indexOf('answered');
    expect(answered).toBeGreaterThan(3);
    expect(lines.slice(answered + 1, answered + 9)).toEqual([
      'Build, round 1: completed',
      'Build, round 2: completed',
      'Review, round 1: completed, chose rejected',
      'Review, round 2: completed, chose accepted',
      'Approval, round 1: skipped',
      'Approval, round 2: completed, chose Ship',
      'Notes, round 1: completed',
      'Report, round 1: completed',
    ]);
    expect(lines.slice(answered + 9, answered + 15)).toEqual(['1: taken', '2: taken', '3: taken', '5: taken', '6: dead', '4: taken']);
    expect(lines.slice(answered + 15).join('\n')).toMatch(/visitors book a table/i);
  },
);
