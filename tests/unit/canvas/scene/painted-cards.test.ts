import { describe, expect, test } from 'vitest';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { DetailLevel } from '../../../../src/canvas/geometry/level-of-detail.ts';
import { linkHalo, linkLook, linkPicked } from '../../../../src/canvas/scene/links/link-look.ts';
import type { LinkLook } from '../../../../src/canvas/scene/links/link-writer.ts';
import { agentRoles, nodeHue } from '../../../../src/model/agents/roles.ts';
import type { CardState } from '../../../../src/model/card-view.ts';
import type { ShownLinkState } from '../../../../src/model/link-state.ts';
import { palette } from '../../../../src/ui/palette.ts';
import { CardPainterDriver, shapesOf, signsIn, wordsIn } from '../../../support/canvas/card-painter-driver.ts';
import { contrast } from '../../../support/canvas/contrast.ts';

const levels: readonly DetailLevel[] = ['full', 'compact', 'title', 'block'];
const themes = ['light', 'dark'] as const;
const everywhere = themes.flatMap((theme) => levels.map((level) => ({ theme, level })));
const states: readonly CardState[] = ['idle', 'waiting', 'active', 'paused', 'done', 'failed', 'stopped', 'skipped'];

const agent: CanvasNode = { id: 'a', type: 'agent', title: 'Lead', description: 'Plans it', role: 'Developer', x: 40, y: 60 };

describe.each(everywhere)('$theme, $level', ({ theme, level }) => {
  const painter = new CardPainterDriver(level, { theme });
  const colours = palette(theme);

  test('W2.05 each state has its own shapes, independent of the colours', () => {
    const drawn = states.map((state) => shapesOf(painter.card(agent, { state })).join());
    for (const [i, one] of drawn.entries()) expect([states[i], drawn.indexOf(one)]).toEqual([states[i], i]);
  });

  test('G6.08 each kind of difference has its own sign with contrast to its background; the focused difference has one ring more', () => {
    const kinds = ['added', 'removed', 'changed', 'moved'] as const;
    const signs = kinds.map((kind) => {
      const painted = painter.difference(agent, kind);
      const at = painted.findIndex(({ picture }) => picture !== '');
      const ground = level === 'block' && kind === 'removed' ? colours.canvas : painter.groundOf(painted, at);
      expect([kind, contrast(painted[at]?.fill.colour ?? 0, ground) >= 3]).toEqual([kind, true]);
      expect(painter.difference(agent, kind, true)).toHaveLength(painted.length + 1);
      return painted[at]?.picture;
    });
    expect(new Set(signs).size).toBe(kinds.length);
  });

  test('W2.05 a working card has pulsing rings, and no other card has', () => {
    for (const state of states) {
      const rings = painter.card(agent, { state }).filter(({ motion }) => motion === 'pulse');
      expect([state, rings.length > 0]).toEqual([state, state === 'active']);
      for (const ring of rings) expect(ring.shape[3]).toBeGreaterThanOrEqual(3);
    }
  });

  test.each(agentRoles)('W2.05 the signs and the title on a card of a %s stand out from what they lie on', (role) => {
    for (const state of states) {
      const painted = painter.card({ ...agent, role }, { state });
      for (const [at, { picture, fill }] of painted.entries()) {
        const minContrast = picture.startsWith('letter:title') ? 4.5 : picture.startsWith('state:') ? 3 : null;
        // A skipped card is drawn faint as a whole, except for its sign.
        if (minContrast === null || fill.alpha < 1) continue;
        expect([state, picture, contrast(fill.colour, painter.groundOf(painted, at)) >= minContrast]).toEqual([state, picture, true]);
      }
    }
  });

  test('W2.05 a selected card has an accent ring outside of its border, at least two CSS px wide; a hovered card has a thinner, fainter ring', () => {
    const [selected, hovered] = [painter.mark(agent, 'selected'), painter.mark(agent, 'hovered')];
    const ring = selected[0];
    // The border of a card shows the state of its work: the ring leaves it free.
    const box = level === 'block' ? [0, 0, 280, 156] : [-3, -3, 286, 162];
    expect(ring).toMatchObject({ motion: 'outline', box, anchor: [40, 60] });
    expect(ring?.stroke).toEqual({ colour: colours.accent, alpha: 1 });
    // At low zoom the ring has a gap in the canvas colour; the ring's outer part must be wider than the gap.
    const gap = selected[1];
    expect(gap?.stroke.colour).toBe(level === 'block' ? colours.canvas : undefined);
    expect((ring?.shape[3] ?? 0) - (gap?.shape[3] ?? 0)).toBeGreaterThanOrEqual(2);
    expect(hovered).toHaveLength(1);
    expect(hovered[0]?.stroke.colour).toBe(colours.accent);
    expect(hovered[0]?.stroke.alpha).toBeLessThan(0.6);
    expect(hovered[0]?.shape[3]).toBeGreaterThanOrEqual(1.5);
    expect(hovered[0]?.shape[3]).toBeLessThan(ring?.shape[3] ?? 0);
  });
});

test('D6.01 among thousands of selected blocks rings shrink with the cards, whose own colours are seen under a veil', () => {
  const painter = new CardPainterDriver('block');
  const others = Array.from({ length: 3_000 }, (_, at) => ({ ...agent, id: `n${at}`, x: at * 320 }));
  const painted = painter.mark(agent, 'selected', others);
  const rings = painted.filter(({ motion }) => motion === 'outline');
  expect(rings).toHaveLength(3_001);
  // Half of the 40 world px between two cards; no width on the screen.
  for (const { shape } of rings) expect([shape[2] < 20, shape[3]]).toEqual([true, 0]);
  const veils = painted.filter(({ motion }) => motion === 'still');
  expect(veils).toHaveLength(3_001);
  for (const { fill } of veils) expect(fill.alpha).toBeLessThan(0.5);
});

test('W2.05 a link that is selected or under the pointer has a glow wider than any line, however far the zoom goes out', () => {
  const colours = palette('light');
  const across = ({ width, minWidth = 0 }: LinkLook, zoom: number) => Math.max(width * zoom, minWidth);
  for (const zoom of [1, 0.5, 0.25, 0.1]) {
    for (const state of ['rest', 'pending', 'taken', 'passing', 'waiting', 'dead'] as const) {
      const line = across(linkLook(state, colours, false), zoom);
      expect(across(linkPicked(colours, false), zoom)).toBeGreaterThanOrEqual(line);
      for (const isPicked of [true, false]) expect(across(linkHalo(colours, isPicked), zoom)).toBeGreaterThanOrEqual(line + 4);
    }
  }
  expect(linkHalo(colours, true).alpha).toBeGreaterThan(linkHalo(colours, false).alpha);
});

test('G1.03 a link that leads back is dashed in every state; G1.01 taken links are solid, dead ones fade, those that wait pulse', () => {
  const colours = palette('light');
  const look = (state: ShownLinkState, isBack = false) => linkLook(state, colours, isBack);
  for (const state of ['rest', 'pending', 'taken', 'passing', 'waiting', 'dead'] as const) {
    expect([look(state).isDashed, look(state, true).isDashed]).toEqual([false, true]);
    expect(look(state, true).line).not.toBe('dotted');
  }
  expect(look('taken')).toMatchObject({ line: 'plain', alpha: 1, colour: colours.accent });
  expect(look('waiting')).toMatchObject({ line: 'pulse', alpha: 1, colour: colours.accent });
  expect(look('dead').alpha).toBeLessThan(look('rest').alpha / 2);
});

test('W2.05 a title that is too long for its row is set smaller and in two, within its card and below its pictogram', () => {
  for (const zoom of [0.35, 0.41, 0.59]) {
    const painter = new CardPainterDriver('compact', { zoom });
    const written = (title: string) => painter.card({ ...agent, title });
    expect(wordsIn(written('Lead'), 'titleCompact')).toBe('Lead');
    const long = written('Lead developer of all servers and clients');
    const letters = long.filter(({ picture }) => picture.startsWith('letter:titleSmall'));
    // A letter is half of 11 px wide, with a margin of 9 px to either side of the card.
    expect(letters.length).toBeGreaterThan((280 * zoom - 18) / 5.5);
    const rows = [...new Set(letters.map((letter) => painter.areaOf(letter).bottom))];
    expect(rows).toHaveLength(2);
    const icon = long.findIndex(({ picture }) => picture.startsWith('icon:'));
    const tile = painter.areaOf(long[icon - 1] as (typeof long)[number]);
    for (const letter of letters) expect(painter.areaOf(letter).top).toBeGreaterThanOrEqual(tile.bottom);
    // Descenders are at most 3 px at a size of 11 px.
    expect(Math.max(...rows) + 3).toBeLessThanOrEqual((60 + 156) * zoom);
    for (const letter of letters) expect(painter.areaOf(letter).right).toBeLessThanOrEqual((40 + 280) * zoom - 8);
  }
});

test('W2.05 a zoom that settles moves and resizes no letter of a title: it only shows more of a cut row', () => {
  const titles = ['Lead', 'Product manager', 'Lead developer of all servers and clients of the company'];
  const placesAt = (level: 'compact' | 'title', zoom: number, fitZoom: number, title: string) => {
    const painter = new CardPainterDriver(level, { zoom, fitZoom });
    // The sign of the state too.
    const painted = painter.card({ ...agent, title }, { state: 'done' }).filter(({ picture }) => picture !== '');
    return painted.map((quad) => `${quad.picture} ${Object.values(painter.areaOf(quad)).map((place) => place.toFixed(2))}`);
  };
  for (const [level, floor, zooms] of [
    ['compact', 0.35, [0.36, 0.45, 0.59]],
    ['title', 0.18, [0.19, 0.25, 0.34]],
  ] as const) {
    for (const title of titles) {
      for (const zoom of zooms) {
        const atRest = placesAt(level, zoom, zoom, title);
        const moved = placesAt(level, zoom, floor, title).filter((place) => !place.includes('…') && !atRest.includes(place));
        expect([level, title, zoom, moved]).toEqual([level, title, zoom, []]);
      }
    }
  }
});

test('W2.05 a long title of a dialog is set smaller and in two rows too, above the box of its form', () => {
  const dialog: CanvasNode = { id: 'd', type: 'dialog', title: 'What the team is to build', goal: '', x: 0, y: 0 };
  for (const zoom of [0.35, 0.41]) {
    const painter = new CardPainterDriver('compact', { zoom });
    const painted = painter.card(dialog);
    const letters = painted.filter(({ picture }) => picture.startsWith('letter:titleSmall')).map((letter) => painter.areaOf(letter));
    expect(new Set(letters.map(({ bottom }) => bottom)).size).toBe(2);
    const box = painted.find(({ unit, box }) => unit === 'world' && box[2] === 280 - 32);
    // Descenders are at most 3 px at a size of 11 px; the band is 3 px high.
    expect(Math.max(...letters.map(({ bottom }) => bottom)) + 3).toBeLessThanOrEqual(box ? painter.areaOf(box).top : 0);
    expect(Math.min(...letters.map(({ top }) => top))).toBeGreaterThan(3);
    expect(Math.max(...letters.map(({ right }) => right))).toBeLessThanOrEqual(280 * zoom - 9);
  }
});

describe.each(themes)('%s', (theme) => {
  const colours = palette(theme);

  test('W3.01 a flow and a trigger have their own shape, pictogram and colour at every level, and their title while it can be read', () => {
    const flow: CanvasNode = { id: 'f', type: 'flow', title: 'Cycle', description: 'All of it', x: 0, y: 0 };
    const trigger: CanvasNode = { id: 't', type: 'trigger', title: 'Start', x: 0, y: 0 };
    for (const level of levels) {
      const painter = new CardPainterDriver(level, { theme });
      for (const [node, width, height] of [
        [flow, 280, 156],
        [trigger, 200, 68],
      ] as const) {
        const painted = painter.card(node);
        const body = painted.find(({ box, motion }) => box[2] === width && box[3] === height && motion === 'still');
        expect([level, node.type, body !== undefined]).toEqual([level, node.type, true]);
        const hue = colours.hue[nodeHue(node)];
        const inHue = painted.some(({ fill, band }) => fill.colour === hue || band.colour === hue);
        expect([level, node.type, inHue || level === 'block']).toEqual([level, node.type, true]);
        expect(signsIn(painted).includes('icon:trigger')).toBe(level === 'full' || level === 'compact');
        expect(wordsIn(painted, 'title')).toBe(level === 'block' ? '' : node.title);
      }
      expect(wordsIn(painter.card(flow), 'line')).toBe(level === 'full' ? 'Allofit' : '');
    }
  });

  test('W3.01 a note is a coloured box with its text, a group a frame with its name above; at low zoom box and frame stay', () => {
    const note: CanvasNode = {
      id: 'n',
      type: 'note',
      title: '',
      description: 'first\nsecond',
      color: { background: 'rose', border: 'rose' },
      x: 0,
      y: 0,
    };
    const group: CanvasNode = { id: 'g', type: 'group', title: 'Team', x: 0, y: 0, width: 900, height: 600 };
    for (const level of levels) {
      const painter = new CardPainterDriver(level, { theme });
      const slip = painter.annotation(note);
      expect(wordsIn(slip)).toBe(level === 'block' ? '' : 'firstsecond');
      const paper = slip.find(({ kind }) => kind === 'shape');
      expect(paper?.box).toEqual([0, 0, 220, 160]);
      const other = painter.annotation({ ...note, color: { background: 'sky', border: 'sky' } }).find(({ kind }) => kind === 'shape');
      expect(other?.fill.colour).not.toBe(paper?.fill.colour);
      const frame = painter.annotation(group);
      expect(frame[0]).toMatchObject({ box: [0, 0, 900, 600], stroke: { colour: colours.hue.slate } });
      expect(wordsIn(frame)).toBe('Team');
      for (const letter of frame.slice(1)) expect(painter.areaOf(letter).bottom).toBeLessThanOrEqual(0);
    }
  });
});
