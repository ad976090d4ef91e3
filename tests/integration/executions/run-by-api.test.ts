import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { CreatedApiKey } from '../../../contract/api-key.ts';
import { shellCommands } from '../../support/docs/shell-commands.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpServer } from '../../support/set-up/for-vitest.ts';

const run = promisify(execFile);
/** The page uses both; a machine may lack them. */
const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const server = setUpServer();
const docs = (page: string) => readFile(join(import.meta.dirname, '../../../docs', page), 'utf8');

test.runIf(hasTools)(
  'G1.03 the commands of docs/run-by-api.md run a graph and release it as the team that the examples of other pages call and start',
  async () => {
    const ann = await signUp(server.url);
    const page = await docs('run-by-api.md');
    const shell = async (commands: string[], settings: Record<string, string>) => {
      const env = { ...process.env, ...settings };
      return (await run('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], { env })).stdout;
    };
    const stdout = await shell(shellCommands(page), {
      ARTEL_API: `${server.url}/api`,
      ARTEL_EMAIL: ann.email,
      ARTEL_PASSWORD: 'a long quiet river',
    });
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
    const [, teamId = ''] = /^released (\S+)$/m.exec(stdout) ?? [];

    const [, trigger = ''] = /POST \/api\/project\/\{project\}\/triggers\n([^`]+)```/.exec(await docs('triggers.md')) ?? [];
    const made = await ann.call('POST', '/project/default/triggers', { ...JSON.parse(trigger), teamId });
    expect([made.status, made.body]).toMatchObject([201, { team: { id: teamId }, settings: { fields: { topic: 'issue.title' } } }]);

    const { body: key } = await ann.call<CreatedApiKey>('POST', '/api-keys', { name: 'Bot', scopes: ['read', 'run'] });
    const [call = ''] = shellCommands(await docs('programs.md'));
    const answer = await shell([call.replace('http://localhost:5001', server.url)], { ARTEL_KEY: key.key });
    expect(JSON.parse(answer)).toMatchObject({ id: expect.any(String), status: expect.any(String) });
  },
);
