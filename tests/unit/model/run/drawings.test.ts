import { expect, test } from 'vitest';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import en from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import words from '../../../../locales/en/participation.json' with { type: 'json' };
import { applyDocumentCommand } from '../../../../src/model/document/document-command.ts';
import type { EditCommand } from '../../../../src/model/document/edit-command.ts';
import { WorkingDocument } from '../../../../src/model/document/working-document.ts';
import { participationOf } from '../../../../src/model/run/participation/participation.ts';
import { canvasGraphProblems } from '../../../../src/model/run/plan/run-graph-plan.ts';
import { foreseenStarters } from '../../../../src/model/run/starters/foreseen-starters.ts';
import { translate } from '../../../support/browser/translate.ts';
import { agentsOf, canvasOf, cardsOf, type Drawing, type Expectation } from '../../../support/drawings/drawing.ts';
import { drawings } from '../../../support/drawings/drawings.ts';
import { planDrawing, runDrawing, runKey } from '../../../support/drawings/run-drawing.ts';
import { documentOf } from '../../../support/engine/samples.ts';

const foresee = (document: CanvasDocument) => participationOf(document, foreseenStarters(document, {}));

test('D1.40 the drawings are twenty, each with a name of its own', () => {
  expect(new Set(drawings.map(({ name }) => name)).size).toBe(20);
});

test.each(byName(drawings))(
  'D1.40 the participants and the notices are known before the run, and the run does what the canvas shows: %s',
  (_, drawing) => {
    expectAsDrawn(canvasOf(drawing), drawing, drawing);
  },
);

test.each(byName(drawings.filter(({ cured }) => cured)))('D1.40 one press of a cure mends %s', (_, drawing) => {
  const { by, ...cured } = drawing.cured as NonNullable<Drawing['cured']>;
  const document = canvasOf(drawing);
  const cure = foresee(document)
    .reports.flatMap(({ cures }) => cures)
    .find(({ kind }) => kind === by);
  expectAsDrawn(after(document, [cure?.command as EditCommand]), drawing, cured);
});

test.each(byName(drawings.filter(({ isOld, flow }) => !isOld && !flow)))(
  'D1.41 a hand that draws the links gets the loops and the names of buttons: %s',
  (_, drawing) => {
    const cards = cardsOf(drawing).map((node) => (node.step?.person ? { ...node, step: { person: asksForApproval } } : node));
    const { nodes, connections } = canvasOf(drawing);
    const lists = Object.values(nodes).filter(({ type }) => type === 'group');
    // The first link to a person comes with the link back.
    const isAlong = ([from, to]: Drawing['links'][number]) => nodes[from]?.step?.person !== undefined && to === firstBefore(drawing, from);
    const drawn = after(
      documentOf([...cards, ...lists]),
      drawing.links.filter((one) => !isAlong(one)).map(([from, to]): EditCommand => ({ type: 'link.add', from, to })),
    );
    const loops = ({ connections }: CanvasDocument) => Object.keys(connections).filter((id) => connections[id]?.run?.maxRounds);
    expect(loops(drawn)).toEqual(loops(canvasOf(drawing)));
    const set = after(
      drawn,
      Object.values(connections).flatMap(({ id, run }): EditCommand[] =>
        run && !nodes[connections[id]?.from.agentId ?? '']?.isUser ? [{ type: 'link.update', id, changes: run }] : [],
      ),
    );
    expect(set.connections).toEqual(connections);
    expect(Object.values(set.nodes).flatMap(({ step }) => step?.person?.buttons ?? [])).toEqual([]);
  },
);

function byName(some: readonly Drawing[]) {
  return some.map((drawing) => [drawing.name, drawing] as const);
}

/** The card whose link to a person is drawn first. */
function firstBefore({ links }: Drawing, person: string): string | undefined {
  return links.find(([, to]) => to === person)?.[0];
}

const asksForApproval = { question: '', inputs: [], buttons: ['Approve'] };

/** The document after these commands. */
function after(document: CanvasDocument, commands: readonly EditCommand[]): CanvasDocument {
  const working = new WorkingDocument(document);
  const context = { agents: { byId: {}, order: [] }, texts: en, newId: () => 'new' };
  for (const command of commands) expect(applyDocumentCommand(working, command, context)).toMatchObject({ ok: true });
  return working.document;
}

function expectAsDrawn(document: CanvasDocument, drawing: Drawing, expectation: Expectation): void {
  const { taking, says = [], grey = [], refused, runs = [], skips = [] } = expectation;
  const { leftOutNodes, leftOutLinks, reports, ...counted } = foresee(document);
  expect([...leftOutNodes, ...leftOutLinks].toSorted()).toEqual(grey.toSorted());
  expect(reports.map(({ kind, params }) => translate('en', 'participation', kind in words ? kind : `${kind}_other`, params))).toEqual(says);
  expect([counted.taking, counted.of]).toEqual([
    taking.length,
    Object.values(drawing.cards).filter(({ kind }) => kind !== 'dialog').length,
  ]);

  const planned = planDrawing(document, agentsOf(drawing));
  if (refused) {
    const { code, cards, links } = refused;
    expect(planned).toMatchObject({ ok: false, problems: [{ code }] });
    expect(canvasGraphProblems(document)).toMatchObject([{ code, nodeIds: cards, connectionIds: links }]);
    return;
  }
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
  expect(planned.plan.steps.map(({ nodeId }) => nodeId).toSorted()).toEqual(taking.toSorted());

  const { driven, reference } = runDrawing(planned.plan, expectation);
  expect(driven.begun).toEqual(runs.map(runKey));
  const skipped = driven.steps.filter(({ status }) => status === 'skipped' || status === 'cancelled');
  expect(skipped.map(({ nodeId }) => nodeId).toSorted()).toEqual(skips.map((name) => name.split(' r')[0]).toSorted());
  expect(new Set(driven.steps.map(({ nodeId }) => nodeId))).toEqual(new Set(taking));
  expect([driven.failure, [...reference.failures]]).toEqual([null, []]);
  // The reference run knows no step that begins with the first result.
  if (planned.plan.steps.some(({ settings }) => settings?.firstWins)) return;
  const begun = [...reference.runs].filter(([, { status }]) => status !== 'skipped');
  expect(begun.map(([key]) => key).toSorted()).toEqual(driven.begun.toSorted());
  for (const [key, { inputs }] of begun) expect([key, inputs]).toEqual([key, driven.inputs.get(key)]);
}
