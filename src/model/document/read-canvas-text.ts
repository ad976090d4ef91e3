import { z } from 'zod';
import { type CanvasNode, type Connection, canvasNode, connection } from '../../../contract/canvas.ts';
import { isAnnotation } from '../../../rules/card.ts';
import type { Problem } from '../problem.ts';
import { foreignWorkflow } from './foreign-workflow.ts';

/** Nodes with the links between them, as text for other canvases. */
export type CanvasExcerpt = { nodes: CanvasNode[]; connections: Connection[] };

/** The most nodes of a pasted text. */
const maxNodes = 50_000;
const maxLinks = 200_000;
/** The most mistakes that are listed. */
const maxProblems = 50;

/**
 * Parses nodes from an untrusted text, all or none. Returns `clip.foreign` for a workflow of another product, and `clip.notCards` for a text of
 * another kind. Returns `clip.unsound` for an invalid one, with every mistake in `details`.
 */
export function readCanvasText(text: string): { ok: true; value: CanvasExcerpt } | { ok: false; error: Problem } {
  const inside = withoutFence(text);
  const json = parsed(inside);
  const product = foreignWorkflow(inside, json);
  if (product) return { ok: false, error: { code: 'clip.foreign', params: { product } } };
  const shape = excerptShape.safeParse(json);
  if (!shape.success) return { ok: false, error: { code: 'clip.notCards' } };
  const nodes = listOf(shape.data.nodes);
  const connections = listOf(shape.data.connections);
  if (nodes.length > maxNodes) return unsound([{ code: 'clip.tooMany', params: { count: nodes.length, most: maxNodes } }]);
  if (connections.length > maxLinks) return unsound([{ code: 'clip.tooManyLinks', params: { count: connections.length, most: maxLinks } }]);
  const problems: Problem[] = [];
  const excerpt = { nodes: validNodes(nodes, problems), connections: [] as Connection[] };
  excerpt.connections = validLinks(connections, new Map(excerpt.nodes.map((node) => [node.id, node])), problems);
  if (nodes.length === 0) problems.push({ code: 'clip.empty' });
  return problems.length > 0 ? unsound(problems) : { ok: true, value: excerpt };
}

/** Accepts a list, and records by id. */
const some = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);
const excerptShape = z.object({ nodes: some, connections: some.default([]) });

/** The text inside a fence of Markdown, in which answers of models and messages quote files. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('```') && trimmed.endsWith('```') ? trimmed.slice(trimmed.indexOf('\n') + 1, -3) : trimmed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function listOf(records: unknown[] | Record<string, unknown>): unknown[] {
  return Array.isArray(records) ? records : Object.values(records);
}

function validNodes(candidates: readonly unknown[], problems: Problem[]): CanvasNode[] {
  const ids = new Set<string>();
  return candidates.flatMap((candidate, at) => {
    const node = canvasNode.safeParse(candidate);
    if (!node.success) {
      const params = { number: at + 1, name: nameOf(candidate), field: fieldsOf(node.error) };
      problems.push({ code: 'clip.cardField', params });
      return [];
    }
    if (ids.has(node.data.id))
      problems.push({ code: 'clip.cardDuplicate', params: { number: at + 1, name: node.data.title, id: node.data.id } });
    ids.add(node.data.id);
    return [node.data];
  });
}

function validLinks(candidates: readonly unknown[], nodes: ReadonlyMap<string, CanvasNode>, problems: Problem[]): Connection[] {
  const pairs = new Set<string>();
  return candidates.flatMap((candidate, at) => {
    const number = at + 1;
    const link = connection.safeParse(migrated(candidate));
    if (!link.success) {
      problems.push({ code: 'clip.linkField', params: { number, field: fieldsOf(link.error) } });
      return [];
    }
    const { from, to } = { from: link.data.from.agentId, to: link.data.to.agentId };
    const pair = JSON.stringify([from, to]);
    const missing = [from, to].find((id) => !nodes.has(id));
    if (missing !== undefined) problems.push({ code: 'clip.linkEnd', params: { number, id: missing } });
    else if (from === to) problems.push({ code: 'clip.linkSelf', params: { number, id: from } });
    else if ([from, to].some((id) => isAnnotation(nodes.get(id) as CanvasNode)))
      problems.push({ code: 'clip.linkAnnotation', params: { number } });
    else if (pairs.has(pair)) problems.push({ code: 'clip.linkDuplicate', params: { number, from, to } });
    pairs.add(pair);
    return [link.data];
  });
}

/**
 * Converts a link of the old format, whose ends are node ids without ports, and which has no id of its
 * own. W3.01
 */
function migrated(candidate: unknown): unknown {
  const { from, to, ...rest } = (candidate ?? {}) as Record<string, unknown>;
  const [source, target] = [endOf(from), endOf(to)];
  if (source === null || target === null) return candidate;
  return { id: `conn-${source}-${target}`, ...rest, from: { agentId: source, port: 'out' }, to: { agentId: target, port: 'in' } };
}

/** Returns the node at an end of the old format; null for an end with a port, and for an invalid one. */
function endOf(end: unknown): string | null {
  if (typeof end === 'string') return end;
  const { agentId, port } = (end ?? {}) as Record<string, unknown>;
  return typeof agentId === 'string' && port === undefined ? agentId : null;
}

/** Returns the wrong fields, as `a, b.c`. */
function fieldsOf(error: z.ZodError): string {
  return [...new Set(error.issues.map(({ path }) => path.join('.') || '…'))].join(', ');
}

function nameOf(candidate: unknown): string {
  const { title, id } = (candidate ?? {}) as { title?: unknown; id?: unknown };
  const name = [title, id].find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name.slice(0, 80) : '?';
}

function unsound(problems: readonly Problem[]): { ok: false; error: Problem } {
  return { ok: false, error: { code: 'clip.unsound', params: { count: problems.length }, details: problems.slice(0, maxProblems) } };
}
