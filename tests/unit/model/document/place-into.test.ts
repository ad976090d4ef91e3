import { expect, test } from 'vitest';
import en from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import { placeInto } from '../../../../src/model/document/links/place-into.ts';
import { WorkingDocument } from '../../../../src/model/document/working-document.ts';
import { chainDocument, team } from '../../../support/engine/samples.ts';

const spare = team[3] as (typeof team)[number];
const context = () => {
  let made = 0;
  const agents = { byId: Object.fromEntries(team.map((agent) => [agent.id, agent])), order: team.map(({ id }) => id) };
  return { agents, texts: en, newId: () => `new-${++made}` };
};
const at = { x: 700, y: 400 };

test('D2.02 a new agent that is placed on a link is put into it, in one step of undo', () => {
  const working = new WorkingDocument(chainDocument());
  const command = { type: 'node.place', item: { kind: 'agent', agentId: spare.id }, at, into: 'conn-a-b' } as const;
  const placed = placeInto(working, command, context());
  const [id = ''] = (placed.ok && placed.value.result?.nodeIds) || [];
  expect(working.node(id)).toMatchObject({ serverAgentId: spare.id });
  expect(working.link('conn-a-b')).toMatchObject({ from: { agentId: 'a' }, to: { agentId: id } });
  expect(Object.values(working.document.connections).some(({ from, to }) => from.agentId === id && to.agentId === 'b')).toBe(true);
  if (placed.ok && placed.value.change) working.apply(placed.value.change.inverse);
  expect(working.document).toEqual(chainDocument());
});

test('D2.02 where the link is gone, nothing is placed', () => {
  const working = new WorkingDocument(chainDocument());
  const command = { type: 'node.place', item: { kind: 'agent', agentId: spare.id }, at, into: 'gone' } as const;
  expect(placeInto(working, command, context())).toMatchObject({ ok: false, error: { code: 'link.unknown' } });
  expect(working.document).toEqual(chainDocument());
});
