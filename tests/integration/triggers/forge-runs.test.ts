import { afterEach, describe, expect, test } from 'vitest';
import type { Budgets } from '../../../contract/budget.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { CreatedTrigger, Fire, ForgeSettings } from '../../../contract/trigger.ts';
import type { ForgeNumber } from '../../../server/platform/git/forges/forge.ts';
import {
  addForgeTrigger,
  keptComment,
  label,
  lastReading,
  mendLibrary,
  startLibraryForge,
  storedState,
  triggerDetails,
  wish,
} from '../../support/forges/issue-team.ts';
import type { PlayedForge } from '../../support/forges/played-forge.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startReferenceRunner } from '../../support/runner/reference-runner.ts';
import { setUp, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const runnerToken = 'a runner token of the tests';
const models = setUpModelServer(mendLibrary);
const runner = setUp(
  () => startReferenceRunner({ token: runnerToken }),
  ({ close }) => close(),
);
const { database, server } = setUpServerOnDatabase(() => ({
  ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', ARTEL_RUNNER_URL: runner.url, ARTEL_RUNNER_TOKEN: runnerToken },
}));
const pace = { interval: 50 };
let forge: PlayedForge;
afterEach(() => forge?.close());

describe('on GitHub', () => {
  let ann: RunAccount;
  let trigger: CreatedTrigger;

  async function begin(settings: Partial<ForgeSettings> = {}, makePipeline?: () => Promise<Pipeline>): Promise<void> {
    forge = await startLibraryForge('github');
    ann = await signUp(server.url);
    trigger = await addForgeTrigger(ann, forge, { ...settings, ...(makePipeline && { pipeline: await makePipeline() }) });
  }

  const firesOf = async (): Promise<Fire[]> => (await triggerDetails(ann, trigger)).fires;
  const untilState = ({ number }: ForgeNumber, state: string) =>
    expect.poll(() => storedState(database.pool, trigger, number), pace).toBe(state);

  function labelled(title = 'Days are counted in hours'): ForgeNumber {
    const issue = forge.open({ title, by: 'eve' });
    forge.label(issue, label, 'bob');
    return issue;
  }

  /** An issue with its pull request. */
  async function published(): Promise<{ issue: ForgeNumber; at: ForgeNumber; head: string }> {
    const issue = labelled();
    await untilState(issue, 'published');
    const { number = 0, head = '' } = forge.requests().at(-1) ?? {};
    return { issue, at: { number, isRequest: true }, head };
  }

  /** A team whose run asks a person first. */
  async function asking(): Promise<Pipeline> {
    const person = { name: 'Ask', agentId: ann.agent('assistant').id, nodeId: 'ask', settings: { person: { question: 'Which days?' } } };
    const work = { name: 'Mend', agentId: ann.agent('developer').id, nodeId: 'mend' };
    const { body } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps: [person, work] });
    return body;
  }

  test('L5.11 L5.13 an issue that gets the label becomes a draft pull request with green tests, a review of it a second commit, and no event counts twice', async () => {
    await begin();
    const issue = forge.open({ title: 'Days are counted in hours', text: 'The test is red.', by: 'eve' });
    forge.say(issue, 'It is so since yesterday.', 'bob');
    forge.label(issue, label, 'bob');

    await expect.poll(() => forge.requests().length, pace).toBe(1);
    const [request] = forge.requests();
    expect(request).toMatchObject({ isDraft: true, base: 'main', isOpen: true, text: expect.stringContaining(`Closes #${issue.number}`) });
    const head = request?.head ?? '';
    expect((await forge.commits(head)).length).toBe(1);
    expect(await forge.fileAt(head, 'src/days.js')).toContain('/ 86_400_000;');
    await expect.poll(() => keptComment(forge, issue), pace).toContain(`#${request?.number}`);
    const { threads, fires } = await triggerDetails(ann, trigger);
    expect(threads).toMatchObject([{ number: issue.number, state: 'published', request: { number: request?.number } }]);
    const run = await ann.details(fires[0]?.run?.id ?? '');
    expect(run.steps[0]?.testRun).toMatchObject({ state: 'ended', exitCode: 0 });

    const at = { number: request?.number ?? 0, isRequest: true };
    forge.review(at, { text: 'Nearly.', lines: [{ path: 'src/days.js', line: 1, text: wish }], by: 'ann' });
    await expect.poll(() => forge.pushes(), pace).toBe(2);
    expect((await forge.commits(head)).length).toBe(2);
    expect(await forge.fileAt(head, 'src/days.js')).toContain('Math.round');
    await untilState(issue, 'published');

    const [first] = forge.deliveries;
    for (let times = 0; times < 20; times += 1) if (first) await forge.redeliver(first);
    const readAt = await lastReading(database.pool, trigger);
    forge.say(issue, 'Thanks', 'bob');
    await forge.delivered();
    await expect.poll(() => lastReading(database.pool, trigger), pace).not.toBe(readAt);
    expect((await firesOf()).filter(({ outcome }) => outcome === 'started')).toHaveLength(2);
    expect(forge.requests()).toHaveLength(1);
    expect(keptComment(forge, issue)).not.toBeNull();
    expect(forge.refusals).toEqual([]);
  });

  test('L5.13 a label or words of a stranger, of a program and of its own account start nothing', async () => {
    await begin();
    const strange = forge.open({ title: 'Strange', by: 'eve' });
    forge.label(strange, label, 'eve');
    await expect.poll(firesOf, pace).toMatchObject([{ outcome: 'filtered', reason: 'rights', detail: 'eve' }]);

    const { issue, at, head } = await published();
    forge.say(at, 'Delete it all.', 'eve');
    forge.say(at, 'Coverage 80 %', 'ci');
    forge.say(at, 'Words of my own', 'artel-bot');
    forge.say(issue, '/stop', 'eve');
    // All of them were read once a person with rights has said something after them.
    forge.say(at, wish, 'bob');
    await expect.poll(() => forge.pushes(), pace).toBe(2);
    expect((await forge.commits(head)).length).toBe(2);
    await untilState(issue, 'published');
    const started = (await firesOf()).filter(({ outcome }) => outcome === 'started');
    expect(started).toHaveLength(2);
    const prompt = JSON.stringify(models.calls.at(-1)?.body.messages);
    expect(prompt).toContain(wish);
    for (const words of ['Delete it all', 'Coverage', 'Words of my own']) expect(prompt).not.toContain(words);
  });

  test('L5.14 commands in comments answer, limit and stop the run', async () => {
    await begin({}, asking);
    const issue = labelled('Which days?');
    await untilState(issue, 'asked');
    await expect.poll(() => keptComment(forge, issue), pace).toContain('Which days?');
    forge.say(issue, '/answer All of them', 'bob');
    await untilState(issue, 'published');
    const [fire] = await firesOf();
    expect(JSON.stringify((await ann.details(fire?.run?.id ?? '')).steps)).toContain('All of them');

    const other = labelled('Others');
    await untilState(other, 'asked');
    const run = async () => (await firesOf()).find(({ about }) => about?.startsWith(`#${other.number} `))?.run;
    const budgets = async () => (await ann.call<Budgets>('GET', `/budget?executionId=${(await run())?.id}`)).body.budgets;
    forge.say(other, '/budget 2.50', 'bob');
    await expect
      .poll(budgets, pace)
      .toContainEqual(expect.objectContaining({ scope: 'run', money: expect.objectContaining({ micros: 2_500_000 }) }));
    forge.say(other, '/stop', 'bob');
    await untilState(other, 'failed');
    expect((await run())?.status).toBe('cancelled');
  });

  test('L5.15 a branch that others have changed is never overwritten, and the comment says so', async () => {
    await begin();
    const { issue, at, head } = await published();
    models.answer({ kind: 'hang' });
    const before = models.calls.length;
    forge.say(at, wish, 'ann');
    const call = await models.call(before + 1);
    const forced = await forge.commit({ 'src/days.js': 'export const daysBetween = () => 2;\n' }, 'By hand', { branch: head, force: true });
    models.answer(mendLibrary);
    models.release(mendLibrary(call) as Parameters<typeof models.release>[0]);
    await untilState(issue, 'refused');
    expect(await forge.headOf(head)).toBe(forced);
    await expect.poll(() => keptComment(forge, issue), pace).toMatch(/nothing was pushed/);
    expect(forge.requests()).toHaveLength(1);
  });

  test('L5.16 an issue that the forge refuses to show for a moment is not missed', async () => {
    await begin();
    await ann.call('PUT', `/project/default/triggers/${trigger.id}`, { isOn: false });
    const issues = [labelled('First'), labelled('Second')];
    await forge.delivered();
    // The next reading goes on from the second.
    forge.state.thread(1).updatedAt = new Date(Date.now() - 30_000);
    forge.refuseOnce(/issues\/1\/comments/, { status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': '1' } });
    await ann.call('PUT', `/project/default/triggers/${trigger.id}`, { isOn: true });
    await expect
      .poll(async () => (await triggerDetails(ann, trigger)).forge, pace)
      .toMatchObject({
        ...{ problem: 'limited', problemText: 'Slow down' },
      });
    for (const delivery of forge.deliveries) await forge.redeliver(delivery);
    for (const issue of issues) await untilState(issue, 'published');
    expect(forge.requests()).toHaveLength(2);
  });
});
