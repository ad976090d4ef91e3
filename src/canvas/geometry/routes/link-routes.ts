import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAnnotation } from '../../../../rules/card.ts';
import type { BoxTable } from '../box-table.ts';
import type { Point, Rect } from '../camera.ts';
import { linkEnd } from '../link-end.ts';
import { cornersExtent, linkBadgeHeight, pathAlong, plainCorners, pointAlong } from '../link-path.ts';
import type { RouteFinder } from './route-finder.ts';
import { routing } from './routing.ts';

/** A canvas with more links shows plain ways at zooms at which lanes cannot be told apart. */
const manyLinks = 1_000;

/** Where a badge may stand, in shares of the route: the first ones are nearer to its middle. */
const badgeShares = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
/** The width of most badges, and the height of the part of a card that has its title (world px). */
const badgeWidth = 110;
const headHeight = 60;

/**
 * The routes of all links of a canvas. All that shows a link asks here: drawing, hit tests, badges, pictures, the map. A route is found when
 * it is first asked for. It depends on the document alone, and a change outdates only the routes that it can touch.
 */
export class LinkRoutes {
  readonly #nodes: BoxTable<CanvasNode>;
  readonly #links: BoxTable<Connection>;
  #finder: RouteFinder | null = null;
  #isMoving = false;
  #isProvisional = false;

  constructor(nodes: BoxTable<CanvasNode>, links: BoxTable<Connection>) {
    this.#nodes = nodes;
    this.#links = links;
  }

  /** Whether a plain way was given because what finds routes was not loaded. */
  get isProvisional(): boolean {
    return this.#isProvisional;
  }

  /** Returns the corners of a link, ends included, as x, y, x, y…; null for an unknown link. `isFar`: the zoom shows no lanes. */
  corners(linkId: string, isFar = false): readonly number[] | null {
    const link = this.#links.get(linkId);
    return link && this.of(link, isFar);
  }

  /** The same for a link of the index. */
  of(link: Connection, isFar: boolean): readonly number[] | null {
    if (this.#isMoving || (isFar && this.#links.size > manyLinks)) return this.#plainCorners(link);
    const Finder = routing.get();
    if (Finder) this.#finder ??= new Finder(this.#nodes, this.#links);
    else this.#isProvisional = true;
    return this.#finder ? this.#finder.corners(link) : this.#plainCorners(link);
  }

  /**
   * Where the badge of a link stands: in the middle of its route, or as near to it as the badge lies on no card. Where there is no such place, it
   * leaves the heads of cards free, which have their titles.
   */
  badgeAt(linkId: string): Point | null {
    const corners = this.corners(linkId);
    if (!corners) return null;
    const path = pathAlong(corners);
    const places = badgeShares.map((share) => pointAlong(path, path.length * share));
    return (
      places.find((place) => !this.#isOnCard(place)) ?? places.find((place) => !this.#isOnCard(place, headHeight)) ?? places[0] ?? null
    );
  }

  /** Whether a badge with its middle there would lie on a card, or on what is `most` high of it from its upper edge. */
  #isOnCard({ x, y }: Point, most = Infinity): boolean {
    const box = { left: x - badgeWidth / 2, top: y - linkBadgeHeight / 2, right: x + badgeWidth / 2, bottom: y + linkBadgeHeight / 2 };
    return this.#nodes.overlapping(box).some((slot) => {
      const node = this.#nodes.records[slot];
      return node !== null && node !== undefined && !isAnnotation(node) && box.top < node.y + most;
    });
  }

  /** The box round a route. */
  extent(linkId: string): Rect | null {
    const corners = this.corners(linkId);
    return corners && cornersExtent(corners);
  }

  /** While cards move in each frame, links take their plain way. Returns whether that has changed, and with it all routes. */
  setMoving(isMoving: boolean): boolean {
    const isChanged = isMoving !== this.#isMoving;
    this.#isMoving = isMoving;
    if (isChanged) this.clear();
    return isChanged;
  }

  /** Whether a change can outdate a route. */
  get isEmpty(): boolean {
    return this.#finder?.isEmpty !== false;
  }

  clear(): void {
    this.#finder?.clear();
  }

  /** Finds these routes again. Returns the links that have another route then. */
  change(linkIds: ReadonlySet<string>): Set<string> {
    return this.#finder?.change(linkIds) ?? new Set(linkIds);
  }

  #plainCorners({ from, to }: Connection): number[] | null {
    const start = this.#nodes.get(from.agentId);
    const end = this.#nodes.get(to.agentId);
    return start && end ? plainCorners(linkEnd(start, 'out'), linkEnd(end, 'in')) : null;
  }
}
