import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import enWorkspace from '../../../../locales/en/workspace.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/nodes.json' with { type: 'json' };
import ruWorkspace from '../../../../locales/ru/workspace.json' with { type: 'json' };
import { boxOf } from '../../../../src/model/document/annotations.ts';
import { isNear } from '../../../../src/model/document/make-room.ts';
import { type PatternId, patternIds } from '../../../../src/model/patterns/pattern-ids.ts';
import { participationOf } from '../../../../src/model/run/participation/participation.ts';
import { planPipeline } from '../../../../src/model/run/plan/pipeline-plan.ts';
import { foreseenStarters } from '../../../../src/model/run/starters/foreseen-starters.ts';
import { editDocument } from '../../../support/engine/edit-document.ts';
import { agentNode, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';

const [one, two, three] = team.map((agent, at) => agentNode(`abc${at}`, agent, 400 + at * 350, 40)) as [CanvasNode, CanvasNode, CanvasNode];
const dialog = dialogNode('d', 0, 0);
const person: CanvasNode = {
  ...{ id: 'p', type: 'agent', isUser: true, title: 'Ann', role: 'user', serverAgentId: 'p', x: 400, y: 40 },
  step: { person: { question: 'May it ship?', inputs: [], buttons: ['approve'] } },
};

/** Twelve agents of each role, the team first: no pattern needs a copy. */
const menu = Array.from({ length: 12 }, (_, copy) =>
  team.map((agent) => (copy === 0 ? agent : { ...agent, id: `${agent.id}-${copy}` })),
).flat();

/** What stands in the way of a run, and what it leaves out. */
function ready(document: CanvasDocument) {
  const { taking, of, reports } = participationOf(document, foreseenStarters(document, {}));
  const begun = Object.values(document.nodes).find(({ type }) => type === 'dialog') ?? null;
  const planned = planPipeline(document, menu, begun);
  const agentless = Object.values(document.nodes).filter(
    ({ type, isUser, id, serverAgentId }) => type === 'agent' && !isUser && id === serverAgentId,
  );
  return {
    left: of - taking,
    reports: reports.map(({ kind }) => kind),
    problems: planned.ok ? [] : planned.problems,
    agentless: agentless.length,
  };
}

const isReady = { left: 0, reports: [], problems: [], agentless: 0 };

/** The links as `from>to label rounds`, by the names of the cards. */
function linksOf({ nodes, connections }: CanvasDocument): string[] {
  const name = (id: string) => nodes[id]?.name ?? nodes[id]?.title ?? id;
  return Object.values(connections)
    .map(({ from, to, run }) => [`${name(from.agentId)}>${name(to.agentId)}`, run?.label, run?.maxRounds].filter(Boolean).join(' '))
    .sort();
}

function placed(document: CanvasDocument, id: PatternId, at: Parameters<ReturnType<typeof editDocument>['places']>[1] = {}) {
  const { working, places } = editDocument(document, menu);
  expect(places(id, at)).toMatchObject({ ok: true });
  return working.document;
}

/** Cards that are nearer to each other than cards are placed. */
function collisions({ nodes }: CanvasDocument): string[] {
  const cards = Object.values(nodes).filter(({ type }) => type !== 'group');
  return cards.flatMap((a, at) => cards.slice(at + 1).flatMap((b) => (isNear(boxOf(a), boxOf(b)) ? `${a.title} ${b.title}` : [])));
}

const leads: [string, CanvasDocument, string | undefined][] = [
  ['on an empty canvas', documentOf([]), undefined],
  ['behind a dialog', documentOf([dialog]), 'd'],
  ['at the dialog of a canvas without a selected card', documentOf([dialog, one], [link('d', 'abc0')]), undefined],
  ['behind an agent', documentOf([dialog, one], [link('d', 'abc0')]), 'abc0'],
  [
    'in the middle of a chain',
    documentOf([dialog, one, two, three], [link('d', 'abc0'), link('abc0', 'abc1'), link('abc1', 'abc2')]),
    'abc0',
  ],
  ['behind a person', documentOf([dialog, person], [link('d', 'p')]), 'p'],
];

test.each(patternIds.flatMap((id) => leads.map(([where, document, after]) => [id, where, document, after] as const)))(
  'D4.10 the pattern "%s" is ready to run %s, and lies clear of other cards',
  (id, _where, document, after) => {
    const after2 = placed(document, id, after === undefined ? {} : { after });
    expect(ready(after2)).toEqual(isReady);
    expect(collisions(after2)).toEqual([]);
  },
);

test('D4.10 a pattern that is placed behind an agent begins with it', () => {
  const document = documentOf([dialog, one], [link('d', 'abc0')]);
  const after = (id: PatternId) => linksOf(placed(document, id, { after: 'abc0' })).filter((name) => !name.startsWith('Dialog'));
  expect(after('review')).toEqual(['prod-mgr>qa', 'qa>assistant accepted', 'qa>prod-mgr rework 3']);
  expect(after('choice')).toEqual(['prod-mgr>assistant simple', 'prod-mgr>developer complex']);
  expect(after('forEach')).toEqual(['prod-mgr>developer']);
  expect(after('person')).toEqual(['prod-mgr>You', 'You>prod-mgr change 3'].sort());
  expect(after('parallel')).toEqual(['analyst>assistant', 'prod-mgr>analyst', 'prod-mgr>team-lead', 'team-lead>assistant']);
});

test('D4.10 a pattern begins behind the start card that leads to agents, and on a canvas without agents at one that leads nowhere', () => {
  const start: CanvasNode = { id: 's', type: 'start', title: 'Start', x: 0, y: 40 };
  const begins = (document: CanvasDocument) => linksOf(placed(document, 'review')).filter((name) => name.startsWith('Start>'));
  expect(begins(documentOf([start]))).toEqual(['Start>developer']);
  const led = documentOf([start, one], [link('s', 'abc0')]);
  expect(ready(placed(led, 'review'))).toEqual(isReady);
  expect(begins(led)).toEqual(['Start>developer', 'Start>prod-mgr']);
  // A start card beside a team that has its own beginning is left alone.
  expect(begins(documentOf([dialog, one, start], [link('d', 'abc0')]))).toEqual([]);
});

test('D4.10 a pattern is put into the only link that leads on, and what lies behind makes room in the same change', () => {
  const document = documentOf([dialog, one, two, three], [link('d', 'abc0'), link('abc0', 'abc1'), link('abc1', 'abc2')]);
  const { working, places } = editDocument(document, menu);
  const outcome = places('review', { after: 'abc0' });
  expect(linksOf(working.document)).toEqual(
    ['Dialog>prod-mgr', 'prod-mgr>qa', 'qa>proj-mgr accepted', 'qa>prod-mgr rework 3', 'proj-mgr>team-lead'].sort(),
  );
  expect(working.node('abc1')).toMatchObject({ x: 400 + 280 + 120 + 280 + 120, y: 40 });
  expect(working.node('abc2')?.x).toBe((working.node('abc1')?.x ?? 0) + 350);
  if (outcome.ok && outcome.value.change) working.apply(outcome.value.change.inverse);
  expect(working.document).toEqual(document);
  expect(linksOf(placed(document, 'parallel', { after: 'abc0' }))).toEqual(
    [
      'Dialog>prod-mgr',
      'prod-mgr>analyst',
      'prod-mgr>team-lead',
      'analyst>assistant',
      'team-lead>assistant',
      'assistant>proj-mgr',
      'proj-mgr>team-lead',
    ].sort(),
  );
});

test('D4.10 a pattern where a link was dropped stands there, and leaves the other links as they are', () => {
  const document = documentOf([dialog, one, two], [link('d', 'abc0'), link('abc0', 'abc1')]);
  const after = placed(document, 'person', { after: 'abc0', at: { x: 900, y: 600 } });
  expect(after.connections['conn-abc0-abc1']).toEqual(link('abc0', 'abc1'));
  expect(Object.values(after.nodes).find(({ isUser }) => isUser)).toMatchObject({ x: 900, y: 600 });
  expect(ready(after)).toEqual(isReady);
});

test('D4.10 the group of a pattern has the name of the pattern', () => {
  const after = placed(documentOf([dialog, one, two], [link('d', 'abc0'), link('abc0', 'abc1')]), 'forEach', { after: 'abc0' });
  const { title } = Object.values(after.nodes).find(({ type }) => type === 'group') ?? {};
  expect([title, ru.forEach]).toEqual([enWorkspace.pattern.forEach, ruWorkspace.pattern.forEach]);
});

test('D4.10 in a group that works through a list a pattern belongs to the list, and lists in lists are refused', () => {
  const group: CanvasNode = {
    id: 'g',
    type: 'group',
    title: 'Each',
    x: 368,
    y: 8,
    width: 344,
    height: 220,
    forEach: { onFailure: 'stop' },
  };
  const document = documentOf([dialog, group, one, two], [link('d', 'abc0'), link('abc0', 'abc1')]);
  for (const id of ['review', 'choice', 'person', 'parallel'] as const) {
    const after = placed(document, id, { after: 'abc0' });
    expect([id, ready(after)]).toEqual([id, isReady]);
    expect(collisions(after)).toEqual([]);
  }
  expect(editDocument(document).places('forEach', { after: 'abc0' })).toEqual({
    ok: false,
    error: { code: 'graph.listInList', params: { steps: 'Each' } },
  });
});

test('D4.10 a role that no agent has is taken by another one, and an account without agents gets no pattern', () => {
  const { working, places } = editDocument(documentOf([dialog]), team.slice(0, 3));
  expect(places('review')).toMatchObject({ ok: true });
  expect(ready(working.document)).toEqual(isReady);
  expect(editDocument(documentOf([dialog]), []).places('review')).toEqual({ ok: false, error: { code: 'pattern.noAgents' } });
  expect(editDocument(documentOf([dialog])).places('review', { after: 'gone' })).toEqual({
    ok: false,
    error: { code: 'link.sourceMissing' },
  });
});

test('D4.10 patterns one behind another stay ready, and cover nothing', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...patternIds), fc.nat(), fc.boolean()), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(steps, (chosen) => {
      const { working, places } = editDocument(documentOf([dialog]), menu);
      for (const [id, at, isSelected] of chosen) {
        const cards = Object.values(working.document.nodes).filter(({ type }) => type !== 'group');
        const after = cards[at % cards.length]?.id;
        const outcome = places(id, isSelected && after !== undefined ? { after } : {});
        if (!outcome.ok) expect(outcome.error.code).toBe('graph.listInList');
        expect(collisions(working.document)).toEqual([]);
      }
      expect(ready(working.document)).toEqual(isReady);
    }),
    { numRuns: 200 },
  );
});
