import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findNats } from '../../scripts/cluster/local-nats.ts';
import { openCluster, type TestCluster } from '../support/cluster.ts';
import { signUp } from '../support/run-account.ts';

describe.runIf(findNats() !== null)('two nodes (needs the program nats-server)', () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await openCluster(2);
  });
  afterEach(() => cluster?.stop());

  test('R23.01 without NATS runs finish, are followed by polling, and can be stopped on another node; later events flow again', async () => {
    const { models, nats, node } = cluster;
    const ann = await signUp(node(1).url);
    const elsewhere = ann.at(node(2));
    const pipeline = await ann.pipeline('assistant', 'developer', 'qa');
    const socket = await elsewhere.socket();
    socket.say({ type: 'since', since: {} });
    const seen = (executionId: string) =>
      socket.messages.filter((message) => message.type === 'pipeline_update' && message.executionId === executionId);

    models.answer((call) => (call.number === 1 ? { kind: 'text', text: 'Done' } : { kind: 'hang' }));
    const run = await ann.start(pipeline, 'Go on');
    await models.call(2);
    await socket.until(({ event }) => event?.type === 'step.completed');
    await nats.stop('SIGKILL');
    for (const number of [1, 2]) await cluster.untilHealth(node(number), ({ status, bus }) => status === 'ok' && !bus.connected);

    models.release('Done in silence');
    await elsewhere.until(run.id, ({ steps }) => steps[1]?.status === 'completed');
    await models.call(3);
    const stopped = await elsewhere.act(run.id, 'stop');
    expect(stopped.body.status).toBe('cancelled');
    await models.aborted(3);

    models.answer({ kind: 'text', text: 'Done' });
    const whole = await ann.start(pipeline, 'To the end, unheard');
    expect(await elsewhere.until(whole.id, ({ status }) => status !== 'running' && status !== 'pending')).toMatchObject({
      status: 'completed',
      progress: 100,
    });
    // A node hears what it carries out itself, also without NATS: either may have carried it out.
    const heardMeanwhile = seen(whole.id).at(-1)?.seq ?? 0;

    await nats.start();
    for (const number of [1, 2]) await cluster.untilHealth(node(number), ({ bus }) => bus.connected);
    socket.say({ type: 'since', since: { [whole.id]: heardMeanwhile } });
    await socket.until(({ event }) => event?.executionId === whole.id && event.type === 'execution.completed');
    const heard = await ann.start(pipeline, 'Heard again');
    await socket.until(({ event }) => event?.executionId === heard.id && event.type === 'execution.completed');
    for (const id of [whole.id, heard.id]) {
      expect(seen(id).map(({ seq }) => seq)).toEqual((await ann.logs(id)).map(({ seq }) => seq));
    }
    await socket.close();
  });
});
