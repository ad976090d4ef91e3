import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';
import { isAnnotation, isDialog, isGroup, isNote } from '../../../rules/card.ts';
import { isBackLink } from '../../../rules/run-graph/run-graph.ts';
import { outsideCard } from '../../model/card-view.ts';
import { areaOf } from '../../model/document/annotations.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import { linkMeaning } from '../../model/run/link-meaning.ts';
import { isOutsideRun, linkOnCanvas, runOnCards } from '../../model/run/shown-on-canvas.ts';
import { resolveDialogTarget } from '../../model/run/starters/resolve-dialog-target.ts';
import type { RunState } from '../../model/workspace-state.ts';
import { palette as paletteOf, type ThemeName } from '../../ui/palette.ts';
import type { Rect } from '../geometry/camera.ts';
import { nodeBox, unionBox } from '../geometry/document-bounds.ts';
import { cornersExtent, pathAlong } from '../geometry/link-path.ts';
import { RouteFinder } from '../geometry/routes/route-finder.ts';
import { routesOf } from '../geometry/routes/routes-of.ts';
import { routing } from '../geometry/routes/routing.ts';
import { cardContent } from '../scene/cards/card-content.ts';
import { linkLook } from '../scene/links/link-look.ts';
import { dash } from '../scene/links/link-shader.ts';
import type { CardTexts } from '../scene/text/card-texts.ts';
import { type Measure, TextLayout } from '../scene/text/text-layout.ts';
import { dialogMarks } from './dialog-marks.ts';
import type { Mark, MarkGroup, Sketch } from './mark.ts';
import { cardMarks, groupMarks, linkBadgeMarks, type MarkStyle, noteMarks } from './node-marks.ts';

type SketchOptions = {
  document: CanvasDocument;
  run: RunState;
  agents: Record<string, Agent>;
  texts: CardTexts;
  theme: ThemeName;
  measure: Measure;
  /** The nodes to draw, with the links between them; null for all. */
  nodeIds: ReadonlySet<string> | null;
};

/** The margin around the picture (world px). */
const margin = 40;

/**
 * Converts the canvas into a picture at full detail: groups, links, notes, cards and badges of links, from the lowest to the topmost. Null for an
 * empty canvas.
 */
export function sketchCanvas(options: SketchOptions): Sketch | null {
  const { document, run, agents, texts, theme, measure, nodeIds } = options;
  routing.set(RouteFinder);
  const nodes = Object.values(document.nodes).filter(({ id }) => !nodeIds || nodeIds.has(id));
  const palette = paletteOf(theme);
  const style: MarkStyle = { palette, isDark: theme === 'dark', layout: new TextLayout(measure) };
  const now = run.moment ?? Date.now();
  const onCards = runOnCards(document, run);
  const groupOf = (box: Rect, marks: Mark[]): MarkGroup => ({ box, marks });

  const groups = nodes
    .filter(isGroup)
    .sort((a, b) => areaOf(nodeSize(b)) - areaOf(nodeSize(a)))
    .map((node) =>
      groupOf({ ...nodeBox(node), top: node.y - 30 }, groupMarks(node, texts.groupName(node, run.graph?.lists[node.id]), style)),
    );
  const routes = routesOf(document);
  const drawn = Object.values(document.connections).flatMap((link) => {
    const from = document.nodes[link.from.agentId];
    const to = document.nodes[link.to.agentId];
    const corners = routes.corners(link.id);
    return !from || !to || !corners || (nodeIds && !(nodeIds.has(from.id) && nodeIds.has(to.id))) ? [] : [{ from, link, corners }];
  });
  const links = drawn.map(({ link, corners }) => groupOf(cornersExtent(corners), [linkMark(link, corners)]));
  const ways = Map.groupBy(Object.values(document.connections), ({ from }) => from.agentId);
  const badges = drawn.flatMap(({ link }) => {
    const { run: settings = {} } = link;
    const text = texts.link(
      settings,
      linkMeaning(link, (id) => ways.get(id) ?? [], document.nodes),
    );
    const at = routes.badgeAt(link.id);
    const marks = at ? linkBadgeMarks(at, text, settings.onFailure === true, style) : [];
    const [box] = marks;
    if (box?.kind !== 'box') return [];
    return groupOf({ left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }, marks);
  });
  const notes = nodes.filter(isNote).map((node) => groupOf(nodeBox(node), noteMarks(node, style)));
  const cards = nodes
    .filter((node) => !isAnnotation(node))
    .map((node) => {
      const view = onCards.views[node.id] ?? (isOutsideRun(node, onCards) ? outsideCard : undefined);
      const content = cardContent(node, view, agents[node.serverAgentId ?? ''], texts, now);
      const form = isDialog(node) ? dialogMarks(node, resolveDialogTarget(document, node), texts.dialog, style) : [];
      return groupOf(nodeBox(node), [...cardMarks(node, content, style), ...form]);
    });

  function linkMark(link: Connection, corners: readonly number[]): Mark {
    const { points, count } = pathAlong(corners);
    const isBack = isBackLink(link.run ?? {});
    const look = linkLook(linkOnCanvas(link, onCards), palette, isBack);
    let d = '';
    for (let i = 0; i < count; i++) d += `${i === 0 ? 'M' : 'L'}${round(points[2 * i] as number)} ${round(points[2 * i + 1] as number)}`;
    return {
      kind: 'path',
      d,
      x: 0,
      y: 0,
      scale: 1,
      stroke: look.colour,
      alpha: look.alpha,
      line: look.width,
      ...(look.line === 'dotted' && { dash: [0.1, 8] }),
      // The round ends of a dash are part of it.
      ...(isBack && { dash: [dash.on - look.width, dash.off + look.width] }),
    };
  }

  const all = [...groups, ...links, ...notes, ...cards, ...badges];
  const bounds = all.reduce<Rect | null>((box, group) => unionBox(box, group.box), null);
  if (!bounds) return null;
  const { left, top, right, bottom } = bounds;
  return {
    bounds: { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin },
    background: palette.canvas,
    groups: all,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
