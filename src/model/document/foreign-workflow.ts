import { z } from 'zod';

/** The products whose workflows are recognised. */
export type WorkflowProduct = 'n8n' | 'Dify' | 'Flowise' | 'Langflow' | 'Node-RED';

const n8nNode = z.object({ type: z.string(), typeVersion: z.number(), position: z.tuple([z.number(), z.number()]) });
const flowiseNode = z.object({ type: z.enum(['customNode', 'agentFlow']), data: z.looseObject({}) });
const langflowNode = z.object({ type: z.enum(['genericNode', 'noteNode']), data: z.looseObject({}) });
const nodeRedNode = z.object({ id: z.string(), type: z.string(), z: z.string(), wires: z.array(z.unknown()) });
const difyApp = z.object({ kind: z.literal('app'), app: z.looseObject({}) });
const edges = z.array(z.unknown());

/** What the JSON of each product looks like. One record of its own form is enough. */
const shapes: readonly [WorkflowProduct, z.ZodType][] = [
  ['n8n', z.object({ nodes: someOf(n8nNode) })],
  ['Dify', difyApp],
  ['Flowise', z.object({ nodes: someOf(flowiseNode), edges })],
  ['Langflow', z.object({ data: z.object({ nodes: someOf(langflowNode), edges }) })],
  ['Node-RED', someOf(nodeRedNode)],
];

/** Returns the product whose workflow a text is, or null. `json`: the text's value, if it is JSON. G8.35 */
export function foreignWorkflow(text: string, json: unknown): WorkflowProduct | null {
  if (json === null) return isDifyYaml(text) ? 'Dify' : null;
  return shapes.find(([, shape]) => shape.safeParse(json).success)?.[0] ?? null;
}

function someOf(record: z.ZodType): z.ZodType {
  return z.array(z.unknown()).refine((records) => records.some((one) => record.safeParse(one).success));
}

/** Dify exports YAML: an `app` at the left edge, of the kind `app`. */
function isDifyYaml(text: string): boolean {
  return /^kind:[ \t]*['"]?app\b/m.test(text) && /^app:/m.test(text) && /^(?:workflow|model_config|version):/m.test(text);
}
