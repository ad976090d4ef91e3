import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { DocumentIndex } from '../../../src/canvas/geometry/document-index.ts';
import { touchedAll } from '../../../src/canvas/geometry/touched.ts';
import { encodePng } from '../../../src/canvas/picture/encode-png.ts';
import { sketchCanvas } from '../../../src/canvas/picture/sketch-canvas.ts';
import { pngLimits, pngScale } from '../../../src/canvas/picture/write-png.ts';
import { writeSvg } from '../../../src/canvas/picture/write-svg.ts';
import { glyphParts } from '../../../src/canvas/scene/cards/state-glyphs.ts';
import { createCardTexts } from '../../../src/canvas/scene/text/create-card-texts.ts';
import { type TextStyle, textStyles } from '../../../src/canvas/scene/text/text-style.ts';
import { emptyRun, type RunState } from '../../../src/model/workspace-state.ts';
import { agentAt, documentOf } from '../../support/canvas/canvas-driver.ts';
import { CardPainterDriver, wordsIn } from '../../support/canvas/card-painter-driver.ts';
import { aStep } from '../../support/engine/a-step.ts';

const texts = createCardTexts(
  'en',
  ((key: string) => key) as never,
  () => null,
  () => null,
);

function sketch(nodes: CanvasNode[], links: [string, string][] = [], nodeIds: ReadonlySet<string> | null = null) {
  const measure = (_style: string, text: string) => text.length * 7;
  return sketchCanvas({ document: documentOf(nodes, links), run: emptyRun, agents: {}, texts, theme: 'light', measure, nodeIds });
}

test('W2.05 a picture has every chosen card, link, note and group as shapes and words, and nothing else', () => {
  const nodes: CanvasNode[] = [
    { ...agentAt('a', 0, 0), title: 'Аналитик <b> & "я"' },
    agentAt('b', 500, 0),
    { id: 'n', type: 'note', title: '', description: 'first\nsecond', x: 0, y: 300 },
    { id: 'g', type: 'group', title: 'Team', x: -40, y: -40, width: 900, height: 600 },
  ];
  const all = sketch(nodes, [['a', 'b']]);
  if (!all) throw new Error('Nothing drawn');
  const svg = writeSvg(all);
  expect(svg).toContain('Аналитик &lt;b&gt; &amp; &quot;я&quot;');
  for (const words of ['>first<', '>second<', '>Team<']) expect(svg).toContain(words);
  expect(svg).toContain('<path d="M280 78L500 78"');
  expect(all.bounds).toMatchObject({ left: -80, right: 900 });

  const one = sketch(nodes, [['a', 'b']], new Set(['b']));
  if (!one) throw new Error('Nothing drawn');
  expect(writeSvg(one)).not.toContain('Аналитик');
  expect(writeSvg(one)).not.toContain('M280 78');
  expect(sketch([])).toBeNull();
});

test('D3.03 a picture draws links on the routes of the canvas, and its box holds them', () => {
  const nodes = [agentAt('a', 0, 0), agentAt('b', 400, 0), agentAt('c', 800, 0)];
  const drawn = sketch(nodes, [['a', 'c']]);
  const index = new DocumentIndex();
  index.update(documentOf(nodes, [['a', 'c']]), touchedAll);
  const lane = index.routes.corners('a-c')?.[5] as number;
  expect(lane).toBeLessThan(0);
  expect(writeSvg(drawn as NonNullable<typeof drawn>)).toContain(` ${lane}L`);
  expect(drawn?.bounds.top).toBeLessThan(lane);
});

test('G1.03 a link that leads back is dashed in a picture; G1.01 a link that the run did not take is faded', () => {
  const measure = (_style: string, text: string) => text.length * 7;
  const document = documentOf(
    [agentAt('a', 0, 0), agentAt('b', 500, 0), agentAt('c', 1_000, 0)],
    [
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'c'],
    ],
  );
  const [there, back, on] = Object.values(document.connections);
  if (!there || !back || !on) throw new Error('No links');
  back.run = { maxRounds: 3 };
  const drawn = (graph: RunState['graph']) => {
    const options = { document, run: { ...emptyRun, graph }, agents: {}, texts, theme: 'light', measure, nodeIds: null } as const;
    const marks = sketchCanvas(options)?.groups.flatMap((group) => group.marks) ?? [];
    return marks.flatMap((mark) => (mark.kind === 'path' && mark.scale === 1 && mark.fill === undefined ? [mark] : [])).slice(0, 3);
  };
  const plain = drawn(null);
  expect(plain.map(({ dash }) => dash !== undefined)).toEqual([false, true, false]);
  const ended = drawn({
    linkIds: [there.id, back.id, on.id],
    linkStates: ['taken', 'dead', 'dead'],
    rounds: {},
    lists: {},
    maxParallel: 1,
  });
  expect(ended.map(({ dash }) => dash !== undefined)).toEqual([false, true, false]);
  expect(ended.map(({ alpha }) => alpha)).toEqual([1, 0.35, 0.35]);
  expect(ended[0]?.stroke).not.toBe(plain[0]?.stroke);
});

test('G1.02 G1.03 G1.05 a picture has the badges of its links: label, rounds, test and failure; G1.04 and the count of a list', () => {
  const words = createCardTexts(
    'en',
    ((key: string, params: object = {}) => [key, ...Object.values(params)].join(' ')) as never,
    () => null,
    () => null,
  );
  const group: CanvasNode = {
    id: 'g',
    type: 'group',
    title: 'Team',
    x: -40,
    y: -40,
    width: 900,
    height: 600,
    forEach: { onFailure: 'stop' },
  };
  const document = documentOf(
    [agentAt('a', 0, 0), agentAt('b', 500, 0), agentAt('c', 500, 400), group],
    [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'c'],
      ['b', 'c'],
    ],
  );
  const settings = [
    { label: 'good' },
    { label: 'again', maxRounds: 3 },
    { test: { is: 'contains', value: 'yes' } },
    { onFailure: true },
  ] as const;
  for (const [at, link] of Object.values(document.connections).entries()) link.run = { ...settings[at] };
  const graph: RunState['graph'] = { linkIds: [], linkStates: [], rounds: {}, lists: { g: { done: 7, total: 20 } }, maxParallel: 1 };
  const measure = (_style: string, text: string) => text.length * 5;
  const drawn = sketchCanvas({
    ...{ document, run: { ...emptyRun, graph }, agents: {}, texts: words, theme: 'light', measure, nodeIds: null },
  });
  if (!drawn) throw new Error('Nothing drawn');
  const svg = writeSvg(drawn);
  for (const text of ['good', 'again · link.rounds 3', 'link.when link.is.contains yes', 'link.ifFails'])
    expect(svg).toContain(`>${text}<`);
  expect(svg).toContain('>Team · 7/20<');
});

test.each(['active', 'done', 'failed'] as const)(
  'W2.05 the sign of a card that is %s has the paths of the canvas in a picture',
  (state) => {
    const status = { active: 'running', done: 'completed', failed: 'failed' } as const;
    const run: RunState = { ...emptyRun, phase: 'running', steps: [aStep('s', { nodeId: 'a', status: status[state] })] };
    const measure = (_style: string, text: string) => text.length * 7;
    const document = documentOf([agentAt('a', 0, 0)], []);
    const drawn = sketchCanvas({ document, run, agents: {}, texts, theme: 'light', measure, nodeIds: null });
    const paths = drawn?.groups.flatMap(({ marks }) => marks.flatMap((mark) => (mark.kind === 'path' ? [mark.d] : [])));
    expect(paths).toEqual(expect.arrayContaining(glyphParts[state].map(({ d }) => d)));
  },
);

test('W2.05 a dialog is pictured with its form: the goal, what to write, who gets it and the button', () => {
  const drawn = sketch([agentAt('Lena', 400, 0), { id: 'd', type: 'dialog', title: 'Dialog', goal: 'Ship it', x: 0, y: 0 }]);
  if (!drawn) throw new Error('Nothing drawn');
  const svg = writeSvg(drawn);
  for (const words of ['Dialog', 'Ship it', 'dialog.placeholder', 'common:recipient', 'common:send']) expect(svg).toContain(`>${words}<`);
  expect(svg.match(/>Lena</g)).toHaveLength(2);
});

test('W2.05 a text in an SVG has the width that was measured on the canvas', () => {
  const drawn = sketch([{ ...agentAt('a', 0, 0), title: 'Anna' }]);
  if (!drawn) throw new Error('Nothing drawn');
  expect(writeSvg(drawn)).toMatch(/textLength="[\d.]+" lengthAdjust="spacingAndGlyphs"[^>]*>Anna</);
});

const long = 'A title that is far too long for the room that is left of it on any card';

test.each([
  { id: 'a', type: 'agent', title: long, description: long.repeat(3), x: 0, y: 0 },
  { id: 'd', type: 'dialog', title: long, x: 0, y: 0 },
  { id: 's', type: 'start', title: long, x: 0, y: 0 },
  { id: 'n', type: 'note', title: '', description: `${long}\n\n${long.repeat(9)}`, x: 0, y: 0 },
  { id: 'g', type: 'group', title: long, x: 0, y: 0, width: 300, height: 200 },
] satisfies CanvasNode[])('W2.05 a picture of a node of type $type cuts its words where the canvas cuts them', (node) => {
  const painter = new CardPainterDriver('full');
  const painted = node.type === 'note' || node.type === 'group' ? painter.annotation(node) : painter.card(node);
  const measure = (style: TextStyle, text: string) => (text.length * textStyles[style].size) / 2;
  const options = { document: documentOf([node], []), run: emptyRun, agents: {}, texts, theme: 'light', measure, nodeIds: null } as const;
  const marks = sketchCanvas(options)?.groups.flatMap((group) => group.marks) ?? [];
  const pictured = marks.flatMap((mark) => (mark.kind === 'text' ? mark.text : ''));
  const spaceless = (text: string) => text.replaceAll(' ', '');
  expect(wordsIn(painted)).toContain('…');
  // A dialog's picture also contains its form, which the canvas does not draw.
  expect(spaceless(pictured.join('')).startsWith(spaceless(wordsIn(painted)))).toBe(true);
});

test('W2.05 a picture that no browser could draw is saved smaller', () => {
  const small = sketch([agentAt('a', 0, 0)]);
  const large = sketch([agentAt('a', 0, 0), agentAt('b', 90_000, 40_000)]);
  if (!small || !large) throw new Error('Nothing drawn');
  expect(pngScale(small, 2)).toBe(2);
  const scale = pngScale(large, 1);
  expect(scale).toBeLessThan(1);
  const { left, right, top, bottom } = large.bounds;
  expect((right - left) * scale).toBeLessThanOrEqual(pngLimits.width);
  expect((right - left) * scale * ((bottom - top) * scale)).toBeLessThanOrEqual(pngLimits.pixels * 1.001);
});

test('W2.05 a PNG that is encoded from strips has the pixels of all strips', async () => {
  const width = 3;
  const strip = (top: number) => {
    const height = Math.min(2, 5 - top);
    const data = Array.from({ length: width * height * 4 }, (_, i) => (top * 50 + i) % 256);
    return { width, height, data };
  };
  const bytes = Buffer.from(await (await encodePng({ width, height: 5 }, strip)).arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([3, 5]);
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.subarray(at + 4, at + 8).toString() === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(parts));
  expect(rows.length).toBe(5 * (3 * width + 1));
  expect([...rows.subarray(0, 10)]).toEqual([0, 0, 1, 2, 4, 5, 6, 8, 9, 10]);
  expect([...rows.subarray(20, 24)]).toEqual([0, 100, 101, 102]);
});
