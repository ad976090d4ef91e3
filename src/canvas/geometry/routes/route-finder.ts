import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isCard } from '../../folding/folded-records.ts';
import type { BoxTable } from '../box-table.ts';
import type { Rect } from '../camera.ts';
import { linkEnd } from '../link-end.ts';
import { assignLanes, laneMargin } from './assign-lanes.ts';
import { findRoute, type Route } from './find-route.ts';
import { type LaneSegment, laneSegments } from './lane-segments.ts';

/** Links with a longer extent than that (world px) take the plain way: their ends are never seen together. */
const farLink = 6_000;
/** The same for links among more cards than that. */
const maxCards = 400;
/** The maximum of segments in one cluster. In a larger one each keeps its own place. */
const maxCluster = 600;
/** Lanes whose own places are farther apart than that (world px) do not meet. */
const laneReach = 64;

type Entry = { link: Connection; route: Route; segments: LaneSegment[]; clusters: (Cluster | null)[]; corners: readonly number[] | null };
/** Segments side by side, with their places; null where they are too many. */
type Cluster = { places: ReadonlyMap<LaneSegment, number> | null; members: readonly LaneSegment[] };

/** Finds the routes of links when they are first asked for, and keeps them. */
export class RouteFinder {
  readonly #nodes: BoxTable<CanvasNode>;
  readonly #links: BoxTable<Connection>;
  readonly #entries = new Map<string, Entry>();
  /** Parts of clusters that are too large. They are dissolved together, as one of them may then have become small enough. */
  readonly #crowded = new Set<Cluster>();

  constructor(nodes: BoxTable<CanvasNode>, links: BoxTable<Connection>) {
    this.#nodes = nodes;
    this.#links = links;
  }

  /** Whether no route has been asked for since the last `clear`. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Returns the corners of a link round cards and in its lane, as x, y, x, y…; null without its cards. */
  corners(link: Connection): readonly number[] | null {
    const entry = this.#entry(link);
    if (!entry) return null;
    entry.corners ??= this.#inLanes(entry);
    return entry.corners;
  }

  /** Forgets all routes. */
  clear(): void {
    this.#entries.clear();
    this.#crowded.clear();
  }

  /** Finds these routes again. Returns the links that have another route then: these, and those whose lanes were or are beside theirs. */
  change(linkIds: ReadonlySet<string>): Set<string> {
    const outdated = new Set(linkIds);
    for (const id of linkIds) {
      for (const cluster of this.#entries.get(id)?.clusters ?? []) if (cluster) this.#dissolve(cluster, outdated);
      this.#entries.delete(id);
    }
    for (const id of linkIds) {
      const link = this.#links.get(id);
      for (const segment of (link && this.#entry(link))?.segments ?? []) {
        this.#eachBeside(segment, false, (other) => {
          const cluster = this.#clusterOf(other);
          if (cluster) this.#dissolve(cluster, outdated);
        });
      }
    }
    return outdated;
  }

  #dissolve(cluster: Cluster, outdated: Set<string>): void {
    const isCrowded = this.#crowded.has(cluster);
    for (const { members } of isCrowded ? this.#crowded : [cluster]) {
      for (const { linkId, at } of members) {
        const entry = this.#entries.get(linkId);
        if (!entry) continue;
        entry.clusters[at - 1] = null;
        entry.corners = null;
        outdated.add(linkId);
      }
    }
    if (isCrowded) this.#crowded.clear();
  }

  #entry(link: Connection): Entry | null {
    const known = this.#entries.get(link.id);
    if (known) return known;
    const route = this.#route(link);
    if (!route) return null;
    const segments = laneSegments(link, route);
    const entry = { link, route, segments, clusters: segments.map(() => null), corners: null };
    this.#entries.set(link.id, entry);
    return entry;
  }

  #route({ id, from, to }: Connection): Route | null {
    const start = this.#nodes.slotOf(from.agentId);
    const end = this.#nodes.slotOf(to.agentId);
    const slot = this.#links.slotOf(id);
    if (start === undefined || end === undefined || slot === undefined) return null;
    const ends = [linkEnd(this.#nodes.records[start] as CanvasNode, 'out'), linkEnd(this.#nodes.records[end] as CanvasNode, 'in')] as const;
    const area = this.#links.box(slot);
    const isFar = area.right - area.left > farLink || area.bottom - area.top > farLink;
    const cards: Rect[] = [];
    if (!isFar) {
      const { left, top, right, bottom } = area;
      this.#nodes.eachOverlapping({ left: left - 8, top: top - 8, right: right + 8, bottom: bottom + 8 }, (other) => {
        if (other !== start && other !== end && !this.#isFlat(other)) cards.push(this.#nodes.box(other));
      });
    }
    return findRoute(...ends, cards.length > maxCards ? [] : cards, [this.#nodes.box(start), this.#nodes.box(end)], area);
  }

  /** Links pass over notes and open groups. */
  #isFlat(slot: number): boolean {
    return !isCard(this.#nodes.records[slot] as CanvasNode);
  }

  #inLanes({ route, segments }: Entry): readonly number[] {
    if (segments.length === 0) return route.corners;
    const corners = [...route.corners];
    for (const segment of segments) {
      const cluster = this.#clusterOf(segment) ?? this.#buildCluster(segment);
      const place = cluster.places?.get(segment) ?? segment.place;
      const across = 2 * segment.at + (segment.isVertical ? 0 : 1);
      corners[across] = place;
      corners[across + 2] = place;
    }
    return corners;
  }

  #clusterOf({ linkId, at }: LaneSegment): Cluster | null {
    return this.#entries.get(linkId)?.clusters[at - 1] ?? null;
  }

  /** Finds all segments that lie beside a segment, and beside those, and gives each a lane. */
  #buildCluster(first: LaneSegment): Cluster {
    const members = [first];
    const seen = new Set(members);
    let isCrowded = false;
    // The list grows while it is read.
    for (const segment of members) {
      this.#eachBeside(segment, true, (other) => {
        isCrowded ||= this.#clusterOf(other)?.places === null;
        if (seen.has(other)) return;
        seen.add(other);
        members.push(other);
      });
      isCrowded ||= members.length > maxCluster;
      if (isCrowded) break;
    }
    const free = members.filter((member) => this.#clusterOf(member) === null);
    const cluster = isCrowded ? { places: null, members: free } : { places: assignLanes(members), members };
    if (isCrowded) this.#crowded.add(cluster);
    for (const { linkId, at } of cluster.members) (this.#entries.get(linkId) as Entry).clusters[at - 1] = cluster;
    return cluster;
  }

  /** Calls back with each segment that lies beside a segment. Routes that are not known are found if `finds`. */
  #eachBeside(segment: LaneSegment, finds: boolean, found: (other: LaneSegment) => void): void {
    const { isVertical, place, from, to } = segment;
    const across = { low: place - laneReach, high: place + laneReach };
    const along = { low: from - laneMargin, high: to + laneMargin };
    const [x, y] = isVertical ? [across, along] : [along, across];
    this.#links.eachOverlapping({ left: x.low, top: y.low, right: x.high, bottom: y.high }, (slot) => {
      const link = this.#links.records[slot] as Connection;
      const entry = finds ? this.#entry(link) : this.#entries.get(link.id);
      if (entry) for (const other of entry.segments) if (isBeside(segment, other)) found(other);
    });
  }
}

function isBeside(a: LaneSegment, b: LaneSegment): boolean {
  return (
    a.isVertical === b.isVertical && Math.abs(a.place - b.place) <= laneReach && a.from < b.to + laneMargin && b.from < a.to + laneMargin
  );
}
