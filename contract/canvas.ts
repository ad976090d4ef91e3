import { z } from 'zod';
import { linkSettings, listSettings, stepSettings } from './executions/run-graph.ts';

/** Keys of records in plain objects, so names of `Object.prototype` are refused. */
const key = z
  .string()
  .min(1)
  .max(200)
  .refine((value) => !(value in Object.prototype), { params: { rule: 'reservedKey' } });
/** Maximum distance from the origin on each axis (world px). Larger than any canvas, and exact in floating point. */
export const maxCoordinate = 1_000_000_000;
const coordinate = z.number().min(-maxCoordinate).max(maxCoordinate);
/** A group may surround nodes at both ends of the canvas. */
const side = z
  .number()
  .min(20)
  .max(4 * maxCoordinate);

/** `rules/node-kinds.ts` says what each type is. */
export const nodeTypes = ['agent', 'start', 'dialog', 'flow', 'trigger', 'note', 'group'] as const;
export type NodeType = (typeof nodeTypes)[number];

export const canvasNode = z.object({
  id: key,
  type: z.enum(nodeTypes),
  title: z.string().max(200),
  titleKey: z.string().max(200).optional(),
  /** The purpose of an agent; the text of a note. */
  description: z.string().max(4_000).optional(),
  descriptionKey: z.string().max(200).optional(),
  name: z.string().max(200).optional(),
  /** The role's name, which decides the hue in card, menu, console and timeline. */
  role: z.string().max(100).optional(),
  color: z.object({ background: z.string().max(64), border: z.string().max(64) }).optional(),
  /** World px, top-left corner. */
  x: coordinate,
  y: coordinate,
  /** World px of a note or a group; cards have the size of their type. */
  width: side.optional(),
  height: side.optional(),
  serverAgentId: z.string().max(200).optional(),
  isUser: z.boolean().optional(),
  goal: z.string().max(4_000).optional(),
  targetAgentId: z.string().max(200).optional(),
  targetAgentTitle: z.string().max(200).optional(),
  /** `start_workflow` unless set. */
  triggerCommand: z.string().max(200).optional(),
  /** True unless set. */
  autoStartSimulation: z.boolean().optional(),
  /** Runs leave the card out, and follow the links through it. */
  disabled: z.literal(true).optional(),
  /** Of an agent: how its step takes part in a run. */
  step: stepSettings.optional(),
  /** Of a group: its agents work through a list, item by item. */
  forEach: listSettings.optional(),
});
export type CanvasNode = z.infer<typeof canvasNode>;

export const connection = z.object({
  id: key,
  from: z.object({ agentId: key, port: z.literal('out') }),
  to: z.object({ agentId: key, port: z.literal('in') }),
  /** How a run uses the link. */
  run: linkSettings.optional(),
});
export type Connection = z.infer<typeof connection>;

/** Node and connection records by id. */
export const canvasDocument = z.object({
  nodes: z.record(z.string(), canvasNode),
  connections: z.record(z.string(), connection),
});
export type CanvasDocument = z.infer<typeof canvasDocument>;

export const canvas = canvasDocument.extend({ version: z.number().int().min(0) });
export type Canvas = z.infer<typeof canvas>;

/** Sets or removes one whole record. Applying a patch twice has no further effect, and the last patch of a record wins. */
export const canvasPatch = z.union([
  z.object({ op: z.literal('set'), collection: z.literal('nodes'), id: key, value: canvasNode }),
  z.object({ op: z.literal('set'), collection: z.literal('connections'), id: key, value: connection }),
  z.object({ op: z.literal('remove'), collection: z.enum(['nodes', 'connections']), id: key }),
]);
export type CanvasPatch = z.infer<typeof canvasPatch>;

export const canvasChange = z.object({
  baseVersion: z.number().int().min(0),
  patches: z.array(canvasPatch),
});
export const canvasReplacement = canvasDocument.extend({ baseVersion: z.number().int().min(0) });
export const canvasSaved = z.object({ version: z.number().int().min(0) });
