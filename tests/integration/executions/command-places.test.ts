import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import { type CommandState, maxCommandsOfAgent } from '../../../contract/command.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url, ARTEL_DAILY_TOKENS: '0' }), {
  ownProcess: 'Many commands at once load it.',
});
const mallory = setUpAccount(server);

test('R23.01 commands of one account to 26 agents that never answer leave a place to the command of another account', async () => {
  models.answer(({ body }) => (JSON.stringify(body).includes('Hold on') ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
  const made = await Promise.all(
    Array.from({ length: 26 }, (_, at) =>
      mallory.call<Agent>('POST', '/nuroagent', { name: `helper-${at}`, title: `Helper ${at}`, role: 'assistant' }),
    ),
  );
  const send = (agentId: string) => mallory.call('POST', '/agentcommand/execute-async', { agentId, request: 'Hold on, please' });
  for (const { body } of made) {
    const sent = await Promise.all(Array.from({ length: maxCommandsOfAgent }, () => send(body.id)));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]));
  }

  const ben = await signUp(server.url);
  const asked = { agentId: ben.agent('qa').id, request: 'Say something short' };
  const { body: command } = await ben.call<CommandState>('POST', '/agentcommand/execute-async', asked);
  const state = async () => (await ben.call<CommandState>('GET', `/agentcommand/status/${command.id}`)).body;
  await expect.poll(state).toMatchObject({ status: 'completed', response: 'Done' });
});
