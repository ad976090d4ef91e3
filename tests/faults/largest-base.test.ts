import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { ToolCall } from '../../contract/executions/tool-call.ts';
import { type InputAddition, type InputSet, inputLimits } from '../../contract/input.ts';
import { setUpSecondUser } from '../support/faults/second-user.ts';
import { signUp } from '../support/run-account.ts';
import { startGitServer } from '../support/services/git-server.ts';
import { setUp, setUpModelServer, setUpServer } from '../support/set-up/for-vitest.ts';

/** A call that is slow because of the machine is not slow in every attempt. */
const maxTries = 2;
/** All files together (bytes). It is a twentieth of the limit: the number of files costs most, and the test has a minute. */
const allBytes = inputLimits.git.bytes / 20;

const git = setUp(startGitServer, ({ close }) => close());
const models = setUpModelServer();
const server = setUpServer(() => ({ NODE_ENV: 'production', ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', OPENAI_BASE_URL: models.url }), {
  ownProcess: "Another account's waits are measured.",
});
const bob = setUpSecondUser(server);

/** Makes a repository of so many files that differ, and that cannot be packed. */
async function makeRepository(name: string, files: number): Promise<string> {
  await git.git(name, 'status');
  const program = spawn('git', ['-C', git.folderOf(name), 'fast-import', '--quiet'], { stdio: ['pipe', 'inherit', 'inherit'] });
  // It ends with no figure: the edited text occurs once.
  const fill = `${randomBytes(allBytes / files / 2).toString('hex')}x`;
  program.stdin.write('commit refs/heads/main\ncommitter Ann <ann@example.com> 1700000000 +0000\ndata 5\nBegin\n');
  for (let at = 0; at < files; at += 1) {
    const content = `${at}\n${fill}\n`;
    const isFree = program.stdin.write(`M 100644 inline packages/p${at % 100}/f${at}.txt\ndata ${content.length}\n${content}\n`);
    if (!isFree) await once(program.stdin, 'drain');
  }
  program.stdin.end();
  await once(program, 'close');
  await git.publish(name);
  return git.urlOf(name);
}

const changed = 'packages/p7/f7.txt';
/** As many calls as a step has room for, a few in each answer: a longer answer is refused. */
const maxCalls = 200;
const callsOfAnswer = 20;

/** One file is edited, and new ones are written beside others. */
const calls = Array.from({ length: maxCalls }, (_, at) => ({
  id: `c${at}`,
  name: at === 0 ? 'edit_file' : 'write_file',
  arguments: JSON.stringify(
    at === 0 ? { path: changed, old: '7\n', new: 'seven\n' } : { path: `packages/p${at % 100}/new-${at}.txt`, content: '1' },
  ),
}));

test('C6.07 a repository with the most files is read, listed, copied and changed without delays for another user', async () => {
  const url = await makeRepository('largest', inputLimits.git.files);
  const prompts: string[] = [];
  models.answer(({ body }) => {
    prompts.push(JSON.stringify(body.messages));
    const made = body.messages.filter(({ role }) => role === 'tool').length;
    return made < maxCalls ? { kind: 'calls', calls: calls.slice(made, made + callsOfAnswer) } : { kind: 'text', text: 'Done.' };
  });
  for (let tries = 1; ; tries += 1) {
    const ann = await signUp(server.url);
    const { latency, bound, result } = await bob.beside(async () => {
      const { body: set } = await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' });
      const { status, body } = await ann.call<InputAddition>('POST', `/inputSet/${set.id}/repository`, { url });
      await ann.call('POST', '/inputSet', { projectId: 'default', copyOf: set.id });
      const { id } = await ann.start(await ann.pipeline('developer'), `Change ${changed}`, { inputSetId: set.id });
      await ann.until(id, ({ status: now }) => now === 'completed');
      const { body: made } = await ann.call<ToolCall[]>('GET', `/PipelineExecution/${id}/calls?limit=100`);
      return { status, count: body.set?.count, failed: made.filter(({ state }) => state !== 'done').map((call) => call.result) };
    });
    expect(result).toEqual({ status: 200, count: inputLimits.git.files, failed: [] });
    expect(prompts[0]).toContain(`packages/p7/ (${inputLimits.git.files / 100})`);
    expect(prompts[0]).toContain(changed);
    if (latency.p99 < bound) break;
    expect(tries, JSON.stringify({ latency, bound })).toBeLessThan(maxTries);
  }
});
