import { expect, test } from 'vitest';
import type { Agent, ApiConfiguration } from '../../../contract/agent.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { changedAgents, modelsOfCards, takenBack } from '../../../src/app/workspace/selection/models-of-cards.ts';
import { agentNode, agentOf, dialogNode } from '../../support/engine/samples.ts';

const agent = (number: number, changes: Partial<ApiConfiguration> = {}): Agent => {
  const made = agentOf(number, `Agent ${number}`, 'Developer');
  return { ...made, apiConfiguration: { ...made.apiConfiguration, ...changes } };
};
const cardsOf = (agents: readonly Agent[]): CanvasNode[] => agents.map((one, at) => agentNode(`card ${at}`, one, at * 300, 0));
const modelsOf = (agents: readonly Agent[], more: CanvasNode[] = []) =>
  modelsOfCards([...cardsOf(agents), ...more], Object.fromEntries(agents.map((one) => [one.id, one])));

test('D4.21 a value that all agents share is shown, and differing values are shown as mixed', () => {
  const same = modelsOf([agent(1), agent(2)], [dialogNode('d', 0, 0)]);
  expect(same).toMatchObject({ connectionId: null, ownProvider: 'openai', model: 'gpt-4', others: 1 });
  const models = modelsOf([agent(1), agent(2, { model: 'gpt-4-turbo' })]);
  expect(models).toMatchObject({ connectionId: null, ownProvider: 'openai', model: null, others: 0 });
  const servers = modelsOf([agent(1), agent(2, { connectionId: 'one' })]);
  expect(servers.connectionId).toBeUndefined();
  const providers = modelsOf([agent(1), agent(2, { providerType: 'gigachat' })]);
  expect(providers).toMatchObject({ connectionId: null, ownProvider: null });
});

test('D4.21 a card whose agent is missing is counted with those that call no model', () => {
  const [known, gone] = [agent(1), agent(2)];
  const models = modelsOfCards(cardsOf([known, gone]), { [known.id]: known });
  expect([models.agents.map(({ id }) => id), models.others]).toEqual([[known.id], 1]);
});

test('D4.20 only agents that change are sent, and each group of what they had is taken back in one call', () => {
  const agents = [agent(1, { connectionId: 'one', model: 'a' }), agent(2, { model: 'a' }), agent(3, { connectionId: 'one', model: 'b' })];
  expect(changedAgents(agents, { connectionId: 'one', model: 'a' }).map(({ id }) => id)).toEqual([agents[1]?.id, agents[2]?.id]);
  const before = [
    { agentId: 'x', connectionId: null, model: 'a' },
    { agentId: 'y', connectionId: 'one', model: 'b' },
    { agentId: 'z', connectionId: null, model: 'a' },
  ];
  expect(takenBack(before)).toEqual([
    { agentIds: ['x', 'z'], connectionId: null, model: 'a' },
    { agentIds: ['y'], connectionId: 'one', model: 'b' },
  ]);
});
