import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { parallelByBranches } from '../../../../contract/executions/parallel-steps.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import en from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import words from '../../../../locales/en/participation.json' with { type: 'json' };
import type { Command } from '../../../../src/model/commands.ts';
import { applyDocumentCommand } from '../../../../src/model/document/document-command.ts';
import type { EditCommand } from '../../../../src/model/document/edit-command.ts';
import { WorkingDocument } from '../../../../src/model/document/working-document.ts';
import { participationOf } from '../../../../src/model/run/participation/participation.ts';
import { isOpen, participationKinds } from '../../../../src/model/run/participation/participation-state.ts';
import { planPipeline } from '../../../../src/model/run/plan/pipeline-plan.ts';
import { foreseenStarters } from '../../../../src/model/run/starters/foreseen-starters.ts';
import { anyCanvas } from '../../../support/drawings/any-canvas.ts';
import { randomDrawing } from '../../../support/drawings/random-drawing.ts';
import { agentNode, agentOf, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';
import { madeGraph, outcomeOf } from '../../../support/run-graph/random-run.ts';
import { referenceRun } from '../../../support/run-graph/reference-run.ts';

const cards = Object.fromEntries(team.slice(0, 5).map((agent, at) => [at, agentNode('abcef'[at] as string, agent, 400 + at * 300, 0)]));
const [a, b, c, e, f] = Object.values(cards) as [CanvasNode, CanvasNode, CanvasNode, CanvasNode, CanvasNode];
const d = dialogNode('d', 0, 0);
const user = (id: string, more: Partial<CanvasNode> = {}): CanvasNode => ({
  ...{ id, type: 'agent', isUser: true, title: id, role: 'user', serverAgentId: id, x: 0, y: 600 },
  ...more,
});
const withRun = (one: Connection, run: LinkSettings): Connection => ({ ...one, run });
const foresee = (document: CanvasDocument) => participationOf(document, foreseenStarters(document, {}));
const told = (document: CanvasDocument) => foresee(document).reports.map(({ kind, nodeIds, linkIds }) => [kind, nodeIds, linkIds]);

/** Presses a cure of the only report, and returns the document after it and the report then. */
function pressed(document: CanvasDocument, kind: string) {
  const command = foresee(document)
    .reports.flatMap(({ cures }) => cures)
    .find((cure) => cure.kind === kind)?.command as Command;
  const working = new WorkingDocument(document);
  const done = applyDocumentCommand(working, command as EditCommand, {
    ...{ agents: { byId: {}, order: [] }, texts: en, newId: () => 'new' },
  });
  expect(done).toMatchObject({ ok: true });
  return { codes: foresee(working.document).reports.map((report) => report.kind), ...foresee(working.document), ...working };
}

test('D1.02 a canvas that takes part as a whole has nothing grey and no report', () => {
  const { taking, of, leftOutNodes, leftOutLinks, reports } = foresee(documentOf([d, a, b], [link('d', 'a'), link('a', 'b')]));
  expect({ taking, of, leftOutNodes, leftOutLinks, reports }).toEqual({
    taking: 2,
    of: 2,
    leftOutNodes: [],
    leftOutLinks: [],
    reports: [],
  });
});

test('D1.02 a link that leads back without rounds is left out, and one press makes it a review loop', () => {
  const document = documentOf([d, a, b, c], [link('d', 'a'), link('a', 'b'), link('b', 'a'), link('b', 'c')]);
  expect(told(document)).toEqual([['linkBack', ['b', 'a'], ['conn-b-a']]]);
  expect(foresee(document)).toMatchObject({ taking: 3, of: 3, leftOutLinks: ['conn-b-a'] });
  const { codes, document: after } = pressed(document, 'makeLoop');
  expect(codes).toEqual([]);
  expect(after.connections['conn-b-a']?.run).toEqual({ maxRounds: 3, label: 'needs rework' });
  expect(after.connections['conn-b-c']?.run).toEqual({ label: 'accepted' });
});

test('D1.02 a cycle that is entered at two cards is one report, and either entry may go', () => {
  const links = [link('d', 'e'), link('e', 'a'), link('e', 'b'), link('a', 'b'), link('b', 'a')];
  const document = documentOf([d, a, b, e], links);
  expect(told(document)).toEqual([['twoEntries', ['a', 'b'], ['conn-e-a', 'conn-e-b', 'conn-b-a']]]);
  const { cures } = foresee(document).reports[0] ?? { cures: [] };
  expect(cures.map(({ kind, command }) => [kind, 'connectionIds' in command && command.connectionIds])).toEqual([
    ['removeEntry', ['conn-e-a']],
    ['removeEntry', ['conn-e-b']],
  ]);
  expect(pressed(document, 'removeEntry').codes).toEqual(['linkBack']);
});

test('D1.05 a link into the middle of a loop is told before the run with the refusal of Send, and a press removes that link', () => {
  const loop = withRun(link('b', 'a'), { maxRounds: 3, label: 'again' });
  const document = documentOf([d, a, b, c, e], [link('d', 'e'), link('e', 'a'), link('a', 'b'), link('b', 'c'), loop, link('e', 'b')]);
  const planned = planPipeline(document, team, d);
  expect(planned).toMatchObject({ ok: false, problems: [{ code: 'graph.twoEntries', connectionIds: ['conn-e-a', 'conn-e-b'] }] });
  expect(told(document)).toEqual([['loopEntered', ['a', 'b'], ['conn-e-a', 'conn-e-b']]]);
  expect(foresee(document).leftOutLinks).toEqual([]);
  const after = pressed(document, 'removeEntry');
  expect([after.codes, after.document.connections['conn-e-b']]).toEqual([[], undefined]);
  expect(planPipeline(after.document, team, d)).toMatchObject({ ok: true });
});

test('D1.05 a cycle without rounds is told as a refusal where branches run together, and as a link that passes nothing else', () => {
  const links = [link('d', 'e'), link('e', 'a'), link('e', 'b'), link('a', 'b'), link('b', 'a')];
  const document = documentOf([d, a, b, e], links);
  const kinds = (parallelSteps?: number) =>
    participationOf(document, foreseenStarters(document, {}), parallelSteps).reports.map(({ kind }) => kind);
  expect([kinds(), kinds(1), kinds(parallelByBranches)]).toEqual([['twoEntries'], ['twoEntries'], ['loopEntered']]);
  expect(planPipeline(document, team, d, { parallelSteps: parallelByBranches })).toMatchObject({ ok: false });
});

test('D1.05 for any canvas, what Send refuses for its graph is told before it', () => {
  fc.assert(
    fc.property(anyCanvas, fc.constantFrom(1, 4, parallelByBranches), (document, parallelSteps) => {
      const starters = foreseenStarters(document, {});
      const agents = Object.values(document.nodes).map(({ serverAgentId = '' }, at) => ({ ...agentOf(at, 'x', 'QA'), id: serverAgentId }));
      const planned = planPipeline(document, agents, starters.dialog, { parallelSteps, starts: starters.starts });
      const isRefused = !planned.ok && planned.problems.some(({ code }) => code.startsWith('graph.'));
      const { reports } = participationOf(document, starters, parallelSteps);
      if (planned.ok || isRefused) expect(reports.some(({ kind }) => participationKinds[kind] === 'refuses')).toBe(isRefused);
    }),
    { numRuns: 300 },
  );
});

test('D1.02 an agent without a way in is grey with what is behind it, and is linked, run first or left out by one press', () => {
  const document = documentOf([d, a, b, c, e], [link('d', 'a'), link('a', 'b'), link('c', 'e')]);
  expect(told(document)).toEqual([['noWayIn', ['c', 'e'], ['conn-c-e']]]);
  expect(foresee(document)).toMatchObject({ taking: 2, of: 4, leftOutNodes: ['c', 'e'], leftOutLinks: ['conn-c-e'] });
  expect(pressed(document, 'linkIt')).toMatchObject({ taking: 4, of: 4, codes: [] });
  const first = pressed(document, 'runFirst');
  expect(first).toMatchObject({ taking: 4, of: 4, codes: [] });
  expect(Object.keys(first.document.connections)).toEqual(expect.arrayContaining(['conn-d-c', 'conn-c-a']));
  expect(pressed(document, 'leaveOut')).toMatchObject({ taking: 2, of: 3, codes: ['noWayIn', 'disabled'] });
});

test('D1.02 a card that is left out is passed through, and takes part again by one press', () => {
  const document = documentOf([d, a, { ...b, disabled: true }, c], [link('d', 'a'), link('a', 'b'), link('b', 'c')]);
  expect(foresee(document)).toMatchObject({ taking: 2, of: 2, leftOutNodes: ['b'], leftOutLinks: [] });
  const alone = documentOf([d, a, { ...b, disabled: true }], [link('d', 'a'), link('a', 'b')]);
  expect(told(alone)).toEqual([['disabled', ['b'], ['conn-a-b']]]);
  expect(pressed(alone, 'takeIn')).toMatchObject({ taking: 2, of: 2, codes: [] });
  const planned = planPipeline(document, team, d);
  expect(planned.ok && planned.plan.steps.map(({ nodeId }) => nodeId)).toEqual(['a', 'c']);
});

test('D1.02 where all cards are left out, none of them takes part, and each takes part again by one press', () => {
  const document = documentOf([d, { ...a, disabled: true }, { ...b, disabled: true }], [link('d', 'a'), link('a', 'b')]);
  expect(foresee(document)).toMatchObject({ taking: 0, of: 2 });
  expect(foresee(document).reports.map(({ kind }) => kind)).toEqual(['disabled', 'disabled']);
  expect(pressed(document, 'takeIn')).toMatchObject({ taking: 1, of: 1 });
});

test('D1.02 a person that is only shown does not take part, and asks by one press', () => {
  const links = [link('d', 'a'), link('a', 'u'), link('u', 'b'), link('u', 'a')];
  const document = documentOf([d, a, b, user('u')], links);
  expect(told(document)).toEqual([
    ['linkBack', ['u', 'a'], ['conn-u-a']],
    ['onlyShown', ['u'], []],
  ]);
  expect(foresee(document)).toMatchObject({ taking: 2, of: 3 });
  const { codes, document: after, taking } = pressed(document, 'askPerson');
  expect({ codes, taking }).toEqual({ codes: [], taking: 3 });
  expect(after.connections['conn-u-a']?.run).toEqual({ label: 'Change', maxRounds: 3 });
  expect(after.connections['conn-u-b']?.run).toEqual({ label: 'Approve' });
});

test('D1.02 a review loop without a label for its end is reported, and one press labels both of its links', () => {
  const links = [link('d', 'a'), link('a', 'b'), withRun(link('b', 'a'), { maxRounds: 3 }), link('b', 'c')];
  const document = documentOf([d, a, b, c], links);
  expect(foresee(document).reports).toMatchObject([
    { kind: 'loopAlways', isLeftOut: false, linkIds: ['conn-b-a'], params: { count: 3, from: b.title, to: a.title } },
  ]);
  expect(foresee(document)).toMatchObject({ leftOutNodes: [], leftOutLinks: [] });
  const { codes, document: after } = pressed(document, 'labelLoop');
  expect(codes).toEqual([]);
  expect(after.connections['conn-b-c']?.run).toEqual({ label: 'accepted' });
  const named = withRun(link('b', 'a'), { maxRounds: 3, label: 'again' });
  expect(told(documentOf([d, a, b, c], [link('d', 'a'), link('a', 'b'), named, link('b', 'c')]))).toEqual([]);
  expect(told(documentOf([d, a, b], [link('d', 'a'), link('a', 'b'), named]))).toEqual([['loopAlways', ['b', 'a'], ['conn-b-a']]]);
});

test('D1.02 a router without labels hands on to all its ways, which is said, and one press makes it a choice', () => {
  const router = { ...a, title: 'Ticket router' };
  const links = [link('d', 'a'), link('a', 'b'), link('a', 'c')];
  const document = documentOf([d, router, b, { ...c, title: b.title ?? '' }], links);
  expect(told(document)).toEqual([['routesToAll', ['a'], ['conn-a-b', 'conn-a-c']]]);
  const { codes, document: after } = pressed(document, 'makeChoice');
  expect([codes, after.connections['conn-a-b']?.run, after.connections['conn-a-c']?.run]).toEqual([
    [],
    { label: b.title },
    { label: `${b.title} 2` },
  ]);
  // Branches of any other card are meant, and so is a router with a case.
  expect(told(documentOf([d, a, b, c], links))).toEqual([]);
  expect(told(documentOf([d, router, b, c], [link('d', 'a'), link('a', 'b'), withRun(link('a', 'c'), { label: 'big' })]))).toEqual([]);
});

test('D1.02 a loop that a choice inside of it may leave is not said to run all its rounds', () => {
  const links = [
    link('d', 'a'),
    link('a', 'b'),
    withRun(link('b', 'c'), { label: 'rework' }),
    withRun(link('b', 'e'), { label: 'accepted' }),
  ];
  const document = documentOf([d, a, b, c, e], [...links, withRun(link('c', 'a'), { maxRounds: 3 })]);
  expect(told(document)).toEqual([]);
});

test('D1.02 a link of a dialog that holds is told, and loses its hold by one press', () => {
  const document = documentOf([d, a], [withRun(link('d', 'a'), { hold: 'always' })]);
  expect(told(document)).toEqual([['holdsNothing', ['d', 'a'], ['conn-d-a']]]);
  expect(pressed(document, 'removeHold')).toMatchObject({ codes: [], leftOutLinks: [] });
});

test('D1.02 another dialog and the cards behind that dialog alone are not part of the run, until that dialog is chosen', () => {
  const document = documentOf([d, a, dialogNode('z', 0, 900), b, f], [link('d', 'a'), link('z', 'b'), link('z', 'a'), link('f', 'b')]);
  expect(told(document)).toEqual([
    ['noWayIn', ['f'], ['conn-f-b']],
    ['otherStart', ['z', 'b'], ['conn-z-b', 'conn-z-a']],
  ]);
  expect(foresee(document).reports[1]?.cures).toEqual([{ kind: 'runThis', command: { type: 'run.foresee', dialogNodeId: 'z' } }]);
  const other = participationOf(document, foreseenStarters(document, { dialogNodeId: 'z' }));
  expect(other).toMatchObject({ dialogNodeId: 'z', taking: 2, leftOutNodes: ['d', 'f'] });
});

test('D1.02 a link to a dialog or a start card passes nothing on, which is said, and one press removes it', () => {
  const s: CanvasNode = { id: 's', type: 'start', title: 'Go', x: 0, y: 900 };
  const document = documentOf([d, a, s, dialogNode('z', 0, 1200)], [link('d', 'a'), link('a', 'd'), link('a', 'z'), link('s', 'd')]);
  expect(told(document).slice(0, 2)).toEqual([
    ['intoStart', ['a', 'd'], ['conn-a-d']],
    ['intoStart', ['a', 'z'], ['conn-a-z']],
  ]);
  expect(foresee(document).leftOutLinks).toEqual(['conn-a-d', 'conn-a-z']);
  expect(Object.keys(pressed(document, 'removeLink').document.connections)).toEqual(['conn-d-a', 'conn-a-z', 'conn-s-d']);
});

test('D1.02 no link is left out without a word: for any canvas each is in a report', () => {
  fc.assert(
    fc.property(anyCanvas, (document) => {
      const { leftOutLinks, reports } = foresee(document);
      const said = new Set(reports.flatMap(({ linkIds }) => linkIds));
      expect(leftOutLinks.filter((id) => !said.has(id))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('D1.02 cures that draw links do so as a hand does, also where a link that was drawn elsewhere has the id', () => {
  const elsewhere = { ...link('a', 'b'), id: 'conn-a-c' };
  const document = documentOf([d, a, b, c], [link('d', 'a'), elsewhere]);
  const linkIt = pressed(documentOf([d, a, c], [{ ...link('d', 'a'), id: 'conn-a-c' }]), 'linkIt').document.connections;
  expect(Object.values(linkIt).map(({ from, to }) => [from.agentId, to.agentId])).toEqual([
    ['d', 'a'],
    ['a', 'c'],
  ]);
  expect(pressed(document, 'linkIt')).toMatchObject({ taking: 3, of: 3, codes: [] });
  const first = pressed(documentOf([d, a, b, c], [link('d', 'a'), { ...link('a', 'b'), id: 'conn-c-a' }]), 'runFirst');
  expect(first).toMatchObject({ taking: 3, of: 3, codes: [] });
  const asks = user('u', { step: { person: { question: '', inputs: [], buttons: ['Approve'] } } });
  const person = pressed(documentOf([d, a, asks], [link('d', 'a')]), 'linkIt');
  expect(person.document.connections['conn-u-a']?.run).toEqual({ label: 'Change', maxRounds: 3 });
});

test('D1.02 no cure closes a circle: a card that leads to the last one is not linked behind it', () => {
  const document = documentOf([d, a, c], [link('d', 'a'), link('c', 'a')]);
  expect(foresee(document).reports.map(({ kind, cures }) => [kind, cures.map((cure) => cure.kind)])).toEqual([
    ['noWayIn', ['runFirst', 'leaveOut']],
  ]);
  expect(pressed(document, 'runFirst')).toMatchObject({ taking: 2, of: 2, codes: [] });
});

test('D1.02 each report and each cure has its words', () => {
  const known = Object.keys(participationKinds) as (keyof typeof participationKinds)[];
  const keysOf = (texts: object) => new Set(Object.keys(texts).map((key) => key.replace(/_(one|other)$/, '')));
  expect(known.filter((kind) => !keysOf(words).has(kind))).toEqual([]);
  expect(known.filter((kind) => isOpen(kind) !== keysOf(words.matter).has(kind))).toEqual([]);
  const { cures } = foresee(documentOf([d, a, b], [link('d', 'a')])).reports[0] ?? { cures: [] };
  expect(Object.keys(words.cure)).toEqual(expect.arrayContaining(cures.map(({ kind }) => kind)));
});

test('D1.03 for any drawing, the cards that are shown as taking part are those that a run of it carries out or skips by a rule', () => {
  fc.assert(
    fc.property(madeGraph({ firstWins: true }), (graph) => {
      const { made, document, dialog, leftOutLinks: expected } = randomDrawing(graph);
      const { runs } = referenceRun(made, (nodeId, round, item) => outcomeOf(made, nodeId, round, item));
      const ran = new Set([...runs.keys()].map((key) => key.split(' round ')[0] as string));
      const { leftOutNodes, leftOutLinks, taking, startNodeIds } = foresee(document);
      const leftOut = new Set(leftOutNodes);
      const steps = Object.values(document.nodes).filter(({ type, disabled }) => type === 'agent' && !disabled);
      const shown = steps.filter(({ id, isUser, step }) => !leftOut.has(id) && (!isUser || step?.person));
      expect(shown.map(({ id }) => id).toSorted()).toEqual([...ran].toSorted());
      expect(taking).toBe(ran.size);
      expect(leftOutLinks.toSorted()).toEqual(expected.toSorted());
      const agents = Object.values(document.nodes).map(({ serverAgentId = '' }, at) => ({ ...agentOf(at, 'x', 'QA'), id: serverAgentId }));
      const starts = startNodeIds.flatMap((id) => document.nodes[id] ?? []);
      const planned = planPipeline(document, agents, dialog, { parallelSteps: 4, starts });
      if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
      expect(planned.plan.steps.map(({ nodeId }) => nodeId).toSorted()).toEqual([...ran].toSorted());
      const byId = (links: { id: string }[]) => links.map(({ id }) => id).toSorted();
      expect(byId(planned.plan.graph?.links ?? [])).toEqual(byId(made.graph.links));
    }),
    { numRuns: 300 },
  );
});

test('D1.01 D1.03 moving cards changes neither the participants nor the reports on other cards', () => {
  const places = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })), { minLength: 50, maxLength: 50 });
  fc.assert(
    fc.property(madeGraph({ firstWins: true }), places, (graph, moves) => {
      // Which cards a list has is a matter of places.
      fc.pre(graph.graph.groups.length === 0);
      const { document, dialog } = randomDrawing(graph);
      const seen = (document: CanvasDocument) => {
        const chosen = dialog ? { dialogNodeId: dialog.id } : {};
        const { leftOutNodes, leftOutLinks, reports, taking } = participationOf(document, foreseenStarters(document, chosen));
        return { leftOutNodes, leftOutLinks, taking, told: reports.map(({ kind, nodeIds, linkIds }) => ({ kind, nodeIds, linkIds })) };
      };
      const moved = Object.values(document.nodes).map((node, at) => {
        const [x, y] = moves[at % moves.length] as [number, number];
        return { ...node, x: x * 300, y: y * 200 };
      });
      expect(seen(documentOf(moved, Object.values(document.connections)))).toEqual(seen(document));
    }),
    { numRuns: 300 },
  );
});
