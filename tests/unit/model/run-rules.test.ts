import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import en from '../../../locales/en/errors.json' with { type: 'json' };
import ru from '../../../locales/ru/errors.json' with { type: 'json' };
import { parseAgentStatus, parseCommandStatus, parseExecutionStatus, parseHistoryStatus } from '../../../src/model/run/parse-status.ts';
import { planPipeline } from '../../../src/model/run/plan/pipeline-plan.ts';
import { agentsToAddress, countAddressed, resolveDialogTarget } from '../../../src/model/run/starters/resolve-dialog-target.ts';
import { brokenRules } from '../../support/canvas/broken-rules.ts';
import { agentNode, agentOf, chainDocument, dialogNode, documentOf, link, team } from '../../support/engine/samples.ts';

const at = (index: number) => team[index] as Agent;
const target = (document: CanvasDocument) => resolveDialogTarget(document, document.nodes.d as CanvasNode)?.id ?? null;

test('W4.07 the target of a dialog is the agent that is chosen on its card, before all other rules', () => {
  const document = chainDocument();
  document.nodes.d = dialogNode('d', 0, 0, { targetAgentId: 'c' });
  expect(target(document)).toBe('c');
  document.nodes.d = dialogNode('d', 0, 0, { targetAgentId: at(1).id });
  expect(target(document)).toBe('b');
});

test('W4.07 a dialog with three links addresses three agents, unless one of them is chosen on its card', () => {
  const cards = [agentNode('a', at(0), 400, 0), agentNode('b', at(1), 400, 200), agentNode('c', at(2), 400, 400)];
  const count = (changes: Partial<CanvasNode>, ...links: Connection[]) => {
    const dialog = dialogNode('d', 0, 0, changes);
    return countAddressed(documentOf([dialog, ...cards], links), dialog, links);
  };
  const three = [link('d', 'a'), link('d', 'b'), link('d', 'c'), link('a', 'd')];
  expect([count({}, ...three), count({ targetAgentId: 'b' }, ...three), count({}, link('d', 'a')), count({})]).toEqual([3, 1, 1, 0]);
});

test('W4.07 the target without a choice is an agent that the dialog links to, the upper and then the left one first', () => {
  const document = documentOf(
    [dialogNode('d', 0, 0), agentNode('low', at(0), 300, 500), agentNode('right', at(1), 900, 100), agentNode('left', at(2), 600, 100)],
    [link('d', 'low'), link('d', 'right'), link('d', 'left')],
  );
  expect(target(document)).toBe('left');
});

test('W4.07 the target without a link from the dialog is an agent that links to it', () => {
  const document = documentOf(
    [dialogNode('d', 0, 0), agentNode('near', at(0), 10, 0), agentNode('far', at(1), 5_000, 0)],
    [link('far', 'd')],
  );
  expect(target(document)).toBe('far');
});

test('W4.07 only agents are offered as targets, not people, in the order in which they are read', () => {
  const document = documentOf(
    [
      dialogNode('d', 0, 0),
      agentNode('low', at(0), 0, 500),
      agentNode('person', at(1), 0, 50, { isUser: true }),
      agentNode('high', at(2), 0, 100),
    ],
    [],
  );
  expect(agentsToAddress(document).map(({ id }) => id)).toEqual(['high', 'low']);
});

test('W4.07 the target without any link is the nearest agent; people and a removed choice do not count, and an empty canvas has none', () => {
  const document = documentOf([
    dialogNode('d', 0, 0, { targetAgentId: 'gone' }),
    agentNode('person', at(2), 5, 0, { isUser: true }),
    agentNode('far', at(0), 900, 0),
    agentNode('near', at(1), 400, 0),
  ]);
  expect(target(document)).toBe('near');
  expect(target(documentOf([dialogNode('d', 0, 0)]))).toBeNull();
});

const plan = (document: CanvasDocument, dialogId: string | null = 'd', agents = team) =>
  planPipeline(document, agents, dialogId ? (document.nodes[dialogId] as CanvasNode) : null);
const steps = (document: CanvasDocument, dialogId: string | null = 'd') => {
  const planned = plan(document, dialogId);
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
  return planned.plan.steps.map(({ nodeId }) => nodeId);
};

test('R24.01 agents go in the order of the links, ties from top to bottom and then left to right', () => {
  const document = documentOf(
    [
      dialogNode('d', 0, 0),
      agentNode('end', at(0), 0, 0),
      agentNode('low', at(1), 0, 900),
      agentNode('right', at(2), 900, 300),
      agentNode('left', at(3), 100, 300),
    ],
    [link('d', 'low'), link('d', 'right'), link('d', 'left'), link('low', 'end'), link('right', 'end'), link('left', 'end')],
  );
  expect(steps(document)).toEqual(['left', 'right', 'low', 'end']);
});

test('R24.01 a dialog’s run holds only what it reaches, people on the way passed through', () => {
  const document = documentOf(
    [
      dialogNode('d', 0, 0),
      agentNode('a', at(0), 300, 0),
      agentNode('person', at(1), 600, 0, { isUser: true }),
      agentNode('b', at(2), 900, 0),
      agentNode('apart', at(3), 0, 900),
    ],
    [link('d', 'a'), link('a', 'person'), link('person', 'b')],
  );
  expect(steps(document)).toEqual(['a', 'b']);
});

test('R24.01 a dialog without links runs its target and what that reaches, the target first', () => {
  const document = documentOf(
    [dialogNode('d', 0, 0), agentNode('first', at(0), 300, 500), agentNode('second', at(1), 300, 900), agentNode('up', at(2), 3_000, 0)],
    [link('first', 'second'), link('second', 'first'), link('up', 'first')],
  );
  expect(steps(document)).toEqual(['first', 'second']);
});

test('R24.01 the dialog’s target is the first of several agents that may begin', () => {
  const document = documentOf(
    [dialogNode('d', 0, 0, { targetAgentId: 'low' }), agentNode('up', at(0), 300, 0), agentNode('low', at(1), 300, 900)],
    [link('d', 'up'), link('d', 'low')],
  );
  expect(steps(document)).toEqual(['low', 'up']);
});

test('R24.01 without a dialog all agents run, those without links last', () => {
  const document = documentOf(
    [agentNode('alone', at(0), 0, 0), agentNode('a', at(1), 0, 500), agentNode('b', at(2), 0, 100)],
    [link('a', 'b')],
  );
  expect(steps(document, null)).toEqual(['a', 'b', 'alone']);
});

test('R24.01 a cycle runs once round, and the link that leads back is named', () => {
  const document = chainDocument();
  document.connections['conn-c-a'] = link('c', 'a');
  const planned = plan(document);
  if (!planned.ok) throw new Error('No plan');
  expect(planned.plan.steps.map(({ nodeId }) => nodeId)).toEqual(['a', 'b', 'c']);
  expect(planned.plan.warnings).toEqual([{ code: 'link.backward', params: { from: at(2).title, to: at(0).title } }]);
});

test('W5.03 no agent cards, no valid ones, and a card without an agent on the server each stop the run with their message', () => {
  expect(plan(documentOf([dialogNode('d', 0, 0)]))).toEqual({ ok: false, problems: [{ code: 'pipeline.noAgents' }] });
  expect(plan({ nodes: {}, connections: {} }, null)).toEqual({ ok: false, problems: [{ code: 'run.noAgents' }] });
  const nameless = documentOf([agentNode('a', at(0), 0, 0, { title: '', name: '' })]);
  expect(plan(nameless, null)).toEqual({ ok: false, problems: [{ code: 'run.noValidAgents' }] });
  const disabled = documentOf([dialogNode('d', 0, 0), agentNode('a', at(0), 0, 0, { disabled: true })]);
  expect(plan(disabled)).toEqual({ ok: false, problems: [{ code: 'run.allDisabled', nodeIds: ['a'] }] });
  const orphan = documentOf([agentNode('a', agentOf(99, 'ghost', 'QA'), 0, 0)]);
  expect(plan(orphan, null)).toEqual({ ok: false, problems: [{ code: 'agent.serverMissing', params: { name: 'Agent ghost' } }] });
});

test('W5.03 an invalid card among valid ones is skipped with a warning', () => {
  const document = chainDocument();
  document.nodes.b = agentNode('b', at(1), 700, 40, { title: '', name: ' ' });
  document.nodes.c = { ...agentNode('c', at(2), 1_000, 40, { title: '' }), name: undefined, titleKey: 'flow.fullCycle' };
  const planned = plan(document);
  expect(planned).toMatchObject({ ok: true, plan: { steps: [{ nodeId: 'a' }, { nodeId: 'c' }], warnings: [{ code: 'agent.skipped' }] } });
});

test('W5.03 a broken dialog elsewhere on the canvas does not stop this dialog’s run', () => {
  const document = chainDocument();
  document.nodes.other = dialogNode('other', 0, 900, { goal: '' });
  expect(steps(document)).toEqual(['a', 'b', 'c']);
});

test('W4.03 a card without a server agent is matched by title or name, then by id', () => {
  const [first, second] = [at(0), at(1)];
  const document = documentOf([
    { ...agentNode('byTitle', first, 0, 0), serverAgentId: undefined, name: undefined },
    { ...agentNode('byName', second, 300, 0), serverAgentId: 'byName', title: 'Renamed' },
    { ...agentNode(at(2).id, at(2), 600, 0), serverAgentId: undefined, title: 'Missing', name: undefined },
  ]);
  const planned = plan(document, null);
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
  expect(planned.plan.steps.map(({ agentId }) => agentId)).toEqual([first.id, second.id, at(2).id]);
});

const codes = (document: CanvasDocument, severity: string, agents: Agent[] | null = team) =>
  brokenRules(document, agents).flatMap((problem) => (problem.severity === severity ? [problem.code] : []));

test('W5.04 each broken rule of an agent, a dialog and a start is one error', () => {
  expect(codes(chainDocument(), 'error')).toEqual([]);
  const broken = (node: CanvasNode) => codes(documentOf([node]), 'error');
  for (const name of ['', ' ', undefined]) {
    expect(broken({ ...agentNode('x', at(0), 0, 0, { title: ' ' }), name })).toEqual(['agent.titleMissing']);
  }
  for (const named of [{ name: 'analyst' }, { titleKey: 'flow.fullCycle', name: undefined }]) {
    expect(broken({ ...agentNode('x', at(0), 0, 0, { title: '' }), ...named })).toEqual([]);
  }
  expect(broken({ ...agentNode('x', at(0), 0, 0), serverAgentId: undefined })).toEqual(['agent.serverIdMissing']);
  expect(broken(agentNode('x', agentOf(99, 'ghost', 'QA'), 0, 0))).toEqual(['agent.serverMissing']);
  expect(broken(agentNode('x', at(0), 0, 0, { isUser: true, serverAgentId: 'x' }))).toEqual([]);
  expect(broken(dialogNode('x', 0, 0, { title: ' ', goal: '' }))).toEqual(['dialog.titleMissing', 'dialog.goalMissing']);
  expect(broken({ id: 'x', type: 'start', title: '', x: 0, y: 0 })).toEqual(['start.titleMissing']);
  for (const place of [{ x: Number.NaN }, { y: '5' as never }]) {
    expect(broken({ id: 'x', type: 'start', title: 'Go', x: 0, y: 0, ...place })).toEqual(['node.placeMissing']);
  }
  expect(broken({ id: 'x', type: 'wizard' as never, title: 'Go', x: 0, y: 0 })).toEqual(['node.typeUnknown']);
  expect(codes({ nodes: { one: dialogNode('same', 0, 0), two: dialogNode('same', 0, 0) }, connections: {} }, 'error')).toEqual([
    'node.idTwice',
  ]);
  expect(codes({ nodes: { one: dialogNode('', 0, 0) }, connections: {} }, 'error')).toEqual(['node.idMissing']);
  expect(codes(documentOf([agentNode('x', at(0), 0, 0), agentNode('y', at(0), 0, 0)]), 'error')).toEqual(['agent.serverIdTwice']);
});

test('W5.04 a missing colour, an id that differs from the server’s and an agent that is not active are warnings only', () => {
  const idle = agentOf(9, 'idle', 'QA', { status: 0 });
  const document = documentOf([{ ...agentNode('x', idle, 0, 0), color: undefined }]);
  expect(codes(document, 'error', [idle])).toEqual([]);
  expect(codes(document, 'warning', [idle])).toEqual(['agent.colorMissing', 'agent.idDiffers', 'agent.notActive']);
  expect(plan(document, null, [idle])).toMatchObject({ ok: true });
  const busy = agentOf(9, 'busy', 'QA', { status: 2 });
  expect(codes(documentOf([agentNode('x', busy, 0, 0)]), 'warning', [busy])).toEqual(['agent.idDiffers', 'agent.notActive']);
});

test('W5.05 each broken rule of a link is one error; a dialog or start may be its source', () => {
  const nodes = [agentNode('a', at(0), 0, 0), dialogNode('d', 0, 0), { id: 's', type: 'start' as const, title: 'Go', x: 0, y: 0 }];
  const broken = (...links: CanvasDocument['connections'][string][]) => codes(documentOf(nodes, links), 'error');
  expect(broken(link('d', 'a'), link('s', 'a'))).toEqual([]);
  expect(broken(link('gone', 'a'))).toEqual(['link.sourceMissing']);
  expect(broken(link('d', 'gone'))).toEqual(['link.targetMissing']);
  expect(broken(link('a', 'a'))).toEqual(['link.self']);
  expect(broken(link('d', 'a'), { ...link('d', 'a'), id: 'again' })).toEqual(['link.duplicate']);
  expect(broken({ ...link('d', 'a'), from: { agentId: 'd', port: 'in' as never } })).toEqual(['link.fromPortWrong']);
  expect(broken({ ...link('d', 'a'), to: { agentId: 'a', port: 'out' as never } })).toEqual(['link.toPortWrong']);
  expect(
    codes({ ...documentOf(nodes), connections: { one: link('d', 'a'), two: { ...link('s', 'a'), id: 'conn-d-a' } } }, 'error'),
  ).toEqual(['link.idTwice']);
});

test('W4.09 a command’s status is understood in every spelling and number, and prefixed', () => {
  for (const status of ['completed', 'Finished', 'SUCCESS', 3, '3']) expect(parseCommandStatus(status)).toBe('completed');
  for (const status of ['failed', 'error', 4]) expect(parseCommandStatus(status)).toBe('failed');
  for (const status of ['running', 'processing', 2]) expect(parseCommandStatus(status)).toBe('running');
  expect(parseCommandStatus('cancelled')).toBe('cancelled');
  for (const { task } of [ru, en])
    expect([task.completed, task.failed, task.cancelled].map((sentence) => sentence.slice(0, 2))).toEqual(['✓ ', '✗ ', '✗ ']);
});

test('W4.10 an execution’s status is understood in every spelling and number', () => {
  for (const status of ['completed', 'success', 'finished', 'Completed']) expect(parseExecutionStatus(status)).toBe('completed');
  for (const status of ['failed', 'error']) expect(parseExecutionStatus(status)).toBe('failed');
  for (const status of ['running', 'in_progress', 'processing', 1, 2]) expect(parseExecutionStatus(status)).toBe('running');
  for (const status of ['paused', 'pending']) expect(parseExecutionStatus(status)).not.toBe('unknown');
  for (const status of [null, undefined, '', 'toString', 99]) expect(parseExecutionStatus(status)).toBe('unknown');
});

test('W2.18 the numbers of a status mean something else in the history and for agents than for commands and executions', () => {
  expect([1, 2, 3, 4].map(parseHistoryStatus)).toEqual(['running', 'completed', 'failed', 'cancelled']);
  expect([0, 1, 2, 'Busy', 'x'].map(parseAgentStatus)).toEqual(['inactive', 'active', 'busy', 'busy', 'unknown']);
});

test('R24.01 start nodes limit a run without a dialog to the cards behind them; a start node without links limits nothing', () => {
  const start: CanvasNode = { id: 's', type: 'start', title: 'Start', x: 0, y: 300 };
  const { nodes, connections } = chainDocument();
  const document = { nodes: { ...nodes, s: start }, connections: { ...connections, s: { ...link('s', 'b') } } };
  const stepsOf = (canvas: CanvasDocument) => {
    const planned = planPipeline(canvas, team, null, { starts: [start] });
    return planned.ok && planned.plan.steps.map(({ nodeId }) => nodeId);
  };
  expect(stepsOf(document)).toEqual(['b', 'c']);
  expect(stepsOf({ ...document, connections })).toEqual(['a', 'b', 'c']);
});
