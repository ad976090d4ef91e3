import type { Agent } from '../contract/agent.ts';
import { agentStatuses } from '../contract/agent-statuses.ts';
import { type CanvasNode, nodeTypes } from '../contract/canvas.ts';
import { hasTitle, isAgentOrPerson, isAnnotation, isNamed, isWorkingAgent, nameOf } from './card.ts';
import { kindOf } from './node-kinds.ts';
import { Sharing } from './sharing.ts';

/** A broken rule: a code of the locales, the parameters of its sentence, and the node or link. */
export type ValidationProblem = {
  severity: 'error' | 'warning';
  code: string;
  params?: Record<string, string | number>;
  nodeId?: string;
  connectionId?: string;
  /** All nodes and links of a problem that several have together, such as a loop with two entries. */
  nodeIds?: string[];
  connectionIds?: string[];
};

/** An unchecked link, for example from a pasted text. */
export type UncheckedLink = { id: string; from?: LinkEnd | undefined; to?: LinkEnd | undefined };
type LinkEnd = { agentId?: string | undefined; port?: string | undefined };

/** Nodes or links by their keys; undefined for removed ones. */
export type Records<T> = Iterable<readonly [key: string, record: T | undefined]>;

/** The fields of a server agent that the rules need. */
export type KnownAgent = Pick<Agent, 'id' | 'status'>;

/** A node as of the last check, with the values on which its links and other nodes depend. */
type KnownNode = {
  readonly place: number;
  readonly key: string;
  node: CanvasNode;
  agentId: string | null;
  name: string;
  isAnnotation: boolean;
};

type KnownLink = {
  readonly place: number;
  readonly key: string;
  link: UncheckedLink;
  source: KnownNode | undefined;
  target: KnownNode | undefined;
  /** The same for all links between the same nodes in the same direction; null if an end is not named. */
  pair: string | number | null;
};

/** The problems of a document, updated at each edit. An edit checks only its changes, not the whole document. */
export class CheckedDocument {
  readonly #agents: ReadonlyMap<string, KnownAgent> | null;
  readonly #nodes = new Map<string, KnownNode>();
  readonly #links = new Map<string, KnownLink>();
  readonly #sameId = new Sharing<string>(this.#nodes);
  readonly #sameAgent = new Sharing<string>(this.#nodes);
  readonly #sameLinkId = new Sharing<string>(this.#links);
  readonly #samePair = new Sharing<string | number>(this.#links);
  /** Links by the nodes at their ends; created at the first use. */
  #linksByEnd: Map<string, string[]> | null = null;
  /** Whether the id of each record so far is its key, so that no two records share one. */
  #idsAreKeys = true;
  readonly #nodeProblems = new FoundProblems();
  readonly #linkProblems = new FoundProblems();
  #places = 0;

  /** Starts with these nodes and links. Without a list of server agents, agents are not checked. */
  constructor(agents: readonly KnownAgent[] | null, nodes: Records<CanvasNode>, links: Records<UncheckedLink>) {
    this.#agents = agents && new Map(agents.map((agent) => [agent.id, agent]));
    // Like `check`, but without dependencies: every record is checked once all are read.
    const none = new Set<string>();
    for (const [key, node] of nodes) this.#applyNode(key, node, none);
    for (const [key, link] of links) this.#applyLink(key, link, none);
    for (const known of this.#nodes.values()) this.#checkNode(known);
    for (const known of this.#links.values()) this.#checkLink(known);
  }

  /** Applies added, changed and removed nodes and links, and checks them and their dependents again. */
  check(nodes: Records<CanvasNode>, links: Records<UncheckedLink>): void {
    const nodeKeys = new Set<string>();
    const linkKeys = new Set<string>();
    for (const [key, node] of nodes) {
      nodeKeys.add(key);
      const wasAnnotation = this.#nodes.get(key)?.isAnnotation;
      this.#applyNode(key, node, nodeKeys);
      if (this.#nodes.get(key)?.isAnnotation !== wasAnnotation) for (const link of this.#linksAt(key)) linkKeys.add(link);
    }
    for (const [key, link] of links) {
      linkKeys.add(key);
      this.#applyLink(key, link, linkKeys);
    }
    // Links are read again, since the nodes at their ends may have changed.
    for (const key of linkKeys) this.#applyLink(key, this.#links.get(key)?.link, linkKeys);
    for (const key of nodeKeys) {
      this.#nodeProblems.forget(key);
      const known = this.#nodes.get(key);
      if (known) this.#checkNode(known);
    }
    for (const key of linkKeys) {
      this.#linkProblems.forget(key);
      const known = this.#links.get(key);
      if (known) this.#checkLink(known);
    }
  }

  /** The first `max` problems: errors before warnings, nodes before links. */
  problems(max = Number.POSITIVE_INFINITY): ValidationProblem[] {
    const { errors, warnings } = this.#nodeProblems;
    const found: ValidationProblem[] = [];
    for (const part of [errors, this.#linkProblems.errors, warnings, this.#linkProblems.warnings]) {
      for (const problems of part.values()) {
        if (found.length >= max) return found.slice(0, max);
        found.push(...problems);
      }
    }
    return found.slice(0, max);
  }

  /** Adds to `nodes` the nodes that depend on a value of this one. */
  #applyNode(key: string, node: CanvasNode | undefined, nodes: Set<string>): void {
    const known = this.#nodes.get(key);
    const before = known && { id: known.node.id || null, agentId: known.agentId, name: known.name };
    const agentId = (node && isWorkingAgent(node) && node.serverAgentId) || null;
    const name = node ? nameOf(node) : '';
    if (!node) this.#nodes.delete(key);
    else if (known) Object.assign(known, { node, agentId, name, isAnnotation: isAnnotation(node) });
    else this.#nodes.set(key, { place: this.#places++, key, node, agentId, name, isAnnotation: isAnnotation(node) });
    if (this.#idsAreKeys && node && node.id !== key) this.#shareIds({ nodes });
    else if (!this.#idsAreKeys) this.#sameId.move(key, before?.id ?? null, node?.id || null, nodes);
    this.#sameAgent.move(key, before?.agentId ?? null, agentId, nodes);
    // Nodes with the same agent name the first of them in their problem.
    if (before && agentId && before.name !== name && this.#sameAgent.first(agentId) === key) this.#sameAgent.addAll(agentId, nodes);
  }

  /** Adds to `links` the links that depend on a value of this one. */
  #applyLink(key: string, link: UncheckedLink | undefined, links: Set<string>): void {
    const known = this.#links.get(key);
    const before = known && { link: known.link, pair: known.pair };
    const from = link?.from?.agentId;
    const to = link?.to?.agentId;
    const source = from ? this.#nodes.get(from) : undefined;
    const target = to ? this.#nodes.get(to) : undefined;
    const pair = from && to ? pairOf(from, to, source, target) : null;
    if (!link) this.#links.delete(key);
    else if (known) Object.assign(known, { link, source, target, pair });
    else this.#links.set(key, { place: this.#places++, key, link, source, target, pair });
    this.#moveEnd(key, before?.link.from?.agentId, from);
    this.#moveEnd(key, before?.link.to?.agentId, to);
    if (this.#idsAreKeys && link && link.id !== key) this.#shareIds({ links });
    else if (!this.#idsAreKeys) this.#sameLinkId.move(key, before?.link.id || null, link?.id || null, links);
    this.#samePair.move(key, before?.pair ?? null, pair, links);
  }

  #moveEnd(key: string, before: string | undefined, now: string | undefined): void {
    if (!this.#linksByEnd || before === now) return;
    const left = before === undefined ? undefined : this.#linksByEnd.get(before);
    const at = left?.indexOf(key) ?? -1;
    if (at >= 0) left?.splice(at, 1);
    if (now !== undefined) joinEnd(this.#linksByEnd, key, now);
  }

  #linksAt(nodeKey: string): readonly string[] {
    if (!this.#linksByEnd) {
      this.#linksByEnd = new Map();
      for (const { key, link } of this.#links.values()) {
        for (const end of [link.from?.agentId, link.to?.agentId]) if (end !== undefined) joinEnd(this.#linksByEnd, key, end);
      }
    }
    return this.#linksByEnd.get(nodeKey) ?? [];
  }

  /** Starts to track ids. Until now every id was its record's key. Adds the records whose id an earlier one has now. */
  #shareIds({ nodes, links }: { nodes?: Set<string>; links?: Set<string> }): void {
    this.#idsAreKeys = false;
    const none = new Set<string>();
    for (const { key, node } of this.#nodes.values()) this.#sameId.move(key, null, node.id || null, none);
    for (const { key, link } of this.#links.values()) this.#sameLinkId.move(key, null, link.id || null, none);
    if (nodes) for (const { key, node } of this.#nodes.values()) if (node.id && this.#sameId.first(node.id) !== key) nodes.add(key);
    if (links) for (const { key, link } of this.#links.values()) if (link.id && this.#sameLinkId.first(link.id) !== key) links.add(key);
  }

  #checkNode({ key, node, name, agentId }: KnownNode): void {
    const found = this.#nodeProblems;
    if (!node.id) found.add({ nodeId: key }, 'error', 'node.idMissing', { name });
    else if (!this.#idsAreKeys && this.#sameId.first(node.id) !== key) found.add({ nodeId: key }, 'error', 'node.idTwice', { id: node.id });
    if (!nodeTypes.includes(node.type)) found.add({ nodeId: key }, 'error', 'node.typeUnknown', { name, type: String(node.type) });
    if (!Number.isFinite(node.x) || !Number.isFinite(node.y)) found.add({ nodeId: key }, 'error', 'node.placeMissing', { name });
    const missing = kindOf(node)?.missing;
    if (missing && !hasTitle(node)) found.add({ nodeId: key }, 'error', missing.title);
    if (missing?.goal && !node.goal?.trim()) found.add({ nodeId: key }, 'error', missing.goal, { name });
    if (!isAgentOrPerson(node)) return;
    if (!isNamed(node)) found.add({ nodeId: key }, 'error', 'agent.titleMissing', { id: node.id });
    if (!node.color) found.add({ nodeId: key }, 'warning', 'agent.colorMissing', { name });
    if (!isWorkingAgent(node)) return;
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

  #checkLink({ key, link, source, target, pair }: KnownLink): void {
    const found = this.#linkProblems;
    const { id, from, to } = link;
    if (id && !this.#idsAreKeys && this.#sameLinkId.first(id) !== key) found.add({ connectionId: key }, 'error', 'link.idTwice', { id });
    if (!source) found.add({ connectionId: key }, 'error', 'link.sourceMissing');
    if (!target) found.add({ connectionId: key }, 'error', 'link.targetMissing');
    if (from?.port !== 'out') found.add({ connectionId: key }, 'error', 'link.fromPortWrong');
    if (to?.port !== 'in') found.add({ connectionId: key }, 'error', 'link.toPortWrong');
    if (pair === null) return;
    if (source?.isAnnotation || target?.isAnnotation) found.add({ connectionId: key }, 'error', 'link.annotation');
    if (from?.agentId === to?.agentId) found.add({ connectionId: key }, 'error', 'link.self');
    if (this.#samePair.first(pair) !== key) found.add({ connectionId: key }, 'error', 'link.duplicate');
  }
}

/** A number when both ends are known, since a lookup by number is faster than by joined names. */
function pairOf(from: string, to: string, source: KnownNode | undefined, target: KnownNode | undefined): string | number {
  return source && target ? source.place * maxPlaces + target.place : `${from.length} ${from}${to}`;
}

const maxPlaces = 2 ** 26;

function joinEnd(linksByEnd: Map<string, string[]>, key: string, end: string): void {
  const known = linksByEnd.get(end);
  if (known) known.push(key);
  else linksByEnd.set(end, [key]);
}

type ProblemPlace = Pick<ValidationProblem, 'nodeId' | 'connectionId'>;

/** Problems by the node or link they are about. */
class FoundProblems {
  readonly errors = new Map<string, ValidationProblem[]>();
  readonly warnings = new Map<string, ValidationProblem[]>();

  forget(key: string): void {
    this.errors.delete(key);
    this.warnings.delete(key);
  }

  add(about: ProblemPlace, severity: ValidationProblem['severity'], code: string, params?: Record<string, string>): void {
    const part = severity === 'error' ? this.errors : this.warnings;
    const key = about.nodeId ?? about.connectionId ?? '';
    const problem = { severity, code, ...(params && { params }), ...about };
    const own = part.get(key);
    if (own) own.push(problem);
    else part.set(key, [problem]);
  }
}
