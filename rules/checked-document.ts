import { type Agent, agentStatuses } from '../contract/agent.ts';
import { type CanvasNode, nodeTypes } from '../contract/canvas.ts';
import { isAgentCard, isAnnotation, nameOf } from './card.ts';
import { FoundProblems } from './found-problems.ts';
import { Sharing } from './sharing.ts';

/** A broken rule: a code that the locales know, what its sentence needs, and the card or link it is about. */
export type ValidationProblem = {
  severity: 'error' | 'warning';
  code: string;
  params?: Record<string, string | number>;
  nodeId?: string;
  connectionId?: string;
};

/** A document whose links may be anything: they also come from texts that others wrote. */
export type UncheckedDocument = { nodes: Record<string, CanvasNode>; connections: Record<string, UncheckedLink> };
export type UncheckedLink = { id: string; from?: LinkEnd | undefined; to?: LinkEnd | undefined };
type LinkEnd = { agentId?: string | undefined; port?: string | undefined };

/** What must be known of a server agent. */
export type KnownAgent = Pick<Agent, 'id' | 'status'>;

/** What a node was when it was last checked: what its links and those who share something with it depend on. */
type KnownNode = { place: number; id: string; agentId: string | null; name: string; isAnnotation: boolean };
type KnownLink = { place: number; id: string; from: string | undefined; to: string | undefined; pair: string | null };

/** A document that is edited in place, and the rules that it breaks: an edit costs what it touches, not a walk over all. */
export class CheckedDocument {
  readonly #document: UncheckedDocument;
  readonly #agents: ReadonlyMap<string, KnownAgent> | null;
  readonly #nodes = new Map<string, KnownNode>();
  readonly #links = new Map<string, KnownLink>();
  readonly #sameId = new Sharing(this.#nodes);
  readonly #sameAgent = new Sharing(this.#nodes);
  readonly #sameLinkId = new Sharing(this.#links);
  readonly #samePair = new Sharing(this.#links);
  /** Links by the nodes at their ends; made when first asked for. */
  #linksAt: Map<string, string[]> | null = null;
  /** Whether each record so far has its key for an id, so that none can have another's. */
  #idsAreKeys = true;
  readonly #nodeProblems = new FoundProblems();
  readonly #linkProblems = new FoundProblems();
  #places = 0;
  /** Not while the document is read for the first time: everything is looked at anyway. */
  #isWhole = false;

  constructor(document: UncheckedDocument, agents: readonly KnownAgent[] | null) {
    this.#document = document;
    this.#agents = agents && new Map(agents.map((agent) => [agent.id, agent]));
    this.#readWhole();
    this.#isWhole = true;
  }

  /** What `check` does with everything, without a thought for what depends on what: each comes after those it shares something with. */
  #readWhole(): void {
    const none = new Set<string>();
    for (const key in this.#document.nodes) this.#takeInNode(key, none, none);
    for (const key in this.#document.connections) this.#takeInLink(key, none);
    for (const key of this.#nodes.keys()) this.#checkNode(key);
    for (const key of this.#links.keys()) this.#checkLink(key);
  }

  /** Looks again at nodes and links that were added, changed or removed, and at what depends on them. */
  check(nodeKeys: Iterable<string>, linkKeys: Iterable<string>): void {
    const nodes = new Set(nodeKeys);
    const links = new Set(linkKeys);
    // What is added on the way is taken in again, which changes nothing.
    for (const key of nodes) this.#takeInNode(key, nodes, links);
    for (const key of links) this.#takeInLink(key, links);
    for (const key of nodes) {
      this.#nodeProblems.forget(key);
      this.#checkNode(key);
    }
    for (const key of links) {
      this.#linkProblems.forget(key);
      this.#checkLink(key);
    }
  }

  /** The first `most` problems, errors before warnings, those of nodes before those of links. */
  problems(most = Number.POSITIVE_INFINITY): ValidationProblem[] {
    const { errors, warnings } = this.#nodeProblems;
    const found: ValidationProblem[] = [];
    for (const part of [errors, this.#linkProblems.errors, warnings, this.#linkProblems.warnings]) {
      for (const problems of part.values()) {
        if (found.length >= most) return found.slice(0, most);
        found.push(...problems);
      }
    }
    return found.slice(0, most);
  }

  /** Adds to `nodes` and `links` what depends on the node besides. */
  #takeInNode(key: string, nodes: Set<string>, links: Set<string>): void {
    const before = this.#nodes.get(key);
    const node = Object.hasOwn(this.#document.nodes, key) ? (this.#document.nodes[key] as CanvasNode) : null;
    const now = node && {
      place: before?.place ?? this.#places++,
      id: node.id,
      agentId: (isAgentCard(node) && node.serverAgentId) || null,
      name: nameOf(node),
      isAnnotation: isAnnotation(node),
    };
    if (now) this.#nodes.set(key, now);
    else this.#nodes.delete(key);
    if (this.#idsAreKeys && now && now.id !== key) this.#shareIds();
    else if (!this.#idsAreKeys) this.#sameId.move(key, before?.id || null, now?.id || null, nodes);
    this.#sameAgent.move(key, before?.agentId ?? null, now?.agentId ?? null, nodes);
    // Those who share its agent name the first of them.
    if (before && now?.agentId && before.name !== now.name && this.#sameAgent.first(now.agentId) === key) {
      this.#sameAgent.addAll(now.agentId, nodes);
    }
    if (this.#isWhole && before?.isAnnotation !== now?.isAnnotation) for (const link of this.#linksOf(key)) links.add(link);
  }

  #takeInLink(key: string, links: Set<string>): void {
    const before = this.#links.get(key);
    const link = Object.hasOwn(this.#document.connections, key) ? (this.#document.connections[key] as UncheckedLink) : null;
    const from = link?.from?.agentId;
    const to = link?.to?.agentId;
    const pair = from && to ? `${from.length} ${from}${to}` : null;
    const now = link && { place: before?.place ?? this.#places++, id: link.id, from, to, pair };
    if (now) this.#links.set(key, now);
    else this.#links.delete(key);
    if (this.#linksAt && (before?.from !== from || before?.to !== to)) {
      this.#leaveEnd(key, before?.from);
      this.#leaveEnd(key, before?.to);
      this.#joinEnd(key, from);
      this.#joinEnd(key, to);
    }
    if (this.#idsAreKeys && now && now.id !== key) this.#shareIds();
    else if (!this.#idsAreKeys) this.#sameLinkId.move(key, before?.id || null, now?.id || null, links);
    this.#samePair.move(key, before?.pair ?? null, pair, links);
  }

  #joinEnd(key: string, end: string | undefined): void {
    if (end === undefined) return;
    const known = this.#linksAt?.get(end);
    if (known) known.push(key);
    else this.#linksAt?.set(end, [key]);
  }

  #leaveEnd(key: string, end: string | undefined): void {
    const known = end === undefined ? undefined : this.#linksAt?.get(end);
    const at = known?.indexOf(key) ?? -1;
    if (at >= 0) known?.splice(at, 1);
  }

  #linksOf(nodeKey: string): readonly string[] {
    if (!this.#linksAt) {
      this.#linksAt = new Map();
      for (const [key, { from, to }] of this.#links) {
        this.#joinEnd(key, from);
        this.#joinEnd(key, to);
      }
    }
    return this.#linksAt.get(nodeKey) ?? [];
  }

  /** Begins to keep who has which id. Nobody had another's until now. */
  #shareIds(): void {
    this.#idsAreKeys = false;
    const touched = new Set<string>();
    for (const [key, { id }] of this.#nodes) this.#sameId.move(key, null, id || null, touched);
    for (const [key, { id }] of this.#links) this.#sameLinkId.move(key, null, id || null, touched);
  }

  #checkNode(key: string): void {
    const found = this.#nodeProblems;
    const known = this.#nodes.get(key);
    if (!known) return;
    const node = this.#document.nodes[key] as CanvasNode;
    const { name } = known;
    if (!node.id) found.add({ nodeId: key }, 'error', 'node.idMissing', { name });
    else if (!this.#idsAreKeys && this.#sameId.first(node.id) !== key) found.add({ nodeId: key }, 'error', 'node.idTwice', { id: node.id });
    if (!nodeTypes.includes(node.type)) found.add({ nodeId: key }, 'error', 'node.typeUnknown', { name, type: String(node.type) });
    if (!Number.isFinite(node.x) || !Number.isFinite(node.y)) found.add({ nodeId: key }, 'error', 'node.placeMissing', { name });
    if (node.type === 'start' && !hasTitle(node)) found.add({ nodeId: key }, 'error', 'start.titleMissing');
    if (node.type === 'dialog') {
      if (!hasTitle(node)) found.add({ nodeId: key }, 'error', 'dialog.titleMissing');
      if (!node.goal?.trim()) found.add({ nodeId: key }, 'error', 'dialog.goalMissing', { name });
    }
    if (node.type !== 'agent') return;
    if (!hasTitle(node) && !node.name) found.add({ nodeId: key }, 'error', 'agent.titleMissing', { id: node.id });
    if (!node.color) found.add({ nodeId: key }, 'warning', 'agent.colorMissing', { name });
    if (!isAgentCard(node)) return;
    const agentId = node.serverAgentId;
    if (!agentId) {
      found.add({ nodeId: key }, 'error', 'agent.serverIdMissing', { name });
      return;
    }
    const first = this.#sameAgent.first(agentId) ?? key;
    if (first !== key) found.add({ nodeId: key }, 'error', 'agent.serverIdTwice', { name, other: this.#nodes.get(first)?.name ?? '' });
    if (agentId !== node.id) found.add({ nodeId: key }, 'warning', 'agent.idDiffers', { name });
    const agent = this.#agents?.get(agentId);
    if (this.#agents && !agent) found.add({ nodeId: key }, 'error', 'agent.serverMissing', { name });
    else if (agent && agent.status !== agentStatuses.active) found.add({ nodeId: key }, 'warning', 'agent.notActive', { name });
  }

  #checkLink(key: string): void {
    const found = this.#linkProblems;
    const known = this.#links.get(key);
    if (!known) return;
    const { id, from, to, pair } = known;
    const link = this.#document.connections[key] as UncheckedLink;
    const source = from ? this.#nodes.get(from) : undefined;
    const target = to ? this.#nodes.get(to) : undefined;
    if (id && !this.#idsAreKeys && this.#sameLinkId.first(id) !== key) found.add({ connectionId: key }, 'error', 'link.idTwice', { id });
    if (!source) found.add({ connectionId: key }, 'error', 'link.sourceMissing');
    if (!target) found.add({ connectionId: key }, 'error', 'link.targetMissing');
    if (link.from?.port !== 'out') found.add({ connectionId: key }, 'error', 'link.fromPortWrong');
    if (link.to?.port !== 'in') found.add({ connectionId: key }, 'error', 'link.toPortWrong');
    if (pair === null) return;
    if (source?.isAnnotation || target?.isAnnotation) found.add({ connectionId: key }, 'error', 'link.annotation');
    if (from === to) found.add({ connectionId: key }, 'error', 'link.self');
    if (this.#samePair.first(pair) !== key) found.add({ connectionId: key }, 'error', 'link.duplicate');
  }
}

function hasTitle(node: CanvasNode): boolean {
  return Boolean(node.title?.trim() || node.titleKey);
}
