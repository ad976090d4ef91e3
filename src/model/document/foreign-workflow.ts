/** The products whose workflows are recognised; each has its name in the texts. */
type WorkflowProduct = 'n8n' | 'dify' | 'flowise' | 'langflow' | 'nodeRed';

type Json = Record<string, unknown>;

/** Returns the product whose workflow a text is, or null. `json`: the text's value, if it is JSON. One record of its own form is enough. G8.35 */
export function foreignWorkflow(text: string, json: unknown): WorkflowProduct | null {
  if (json === null) return isDifyYaml(text) ? 'dify' : null;
  const { nodes, edges, data, kind, app } = json as Json;
  const inside = (data ?? {}) as Json;
  if (has(nodes, ({ typeVersion, position }) => typeof typeVersion === 'number' && Array.isArray(position))) return 'n8n';
  if (kind === 'app' && typeof app === 'object') return 'dify';
  if (edges && has(nodes, ({ type }) => type === 'customNode' || type === 'agentFlow')) return 'flowise';
  if (inside.edges && has(inside.nodes, ({ type }) => type === 'genericNode')) return 'langflow';
  return has(json, ({ z, wires }) => typeof z === 'string' && Array.isArray(wires)) ? 'nodeRed' : null;
}

function has(records: unknown, isOwn: (record: Json) => boolean): boolean {
  return Array.isArray(records) && records.some((record) => record !== null && isOwn(record));
}

/** Dify exports YAML: an `app` at the left edge, of the kind `app`. */
function isDifyYaml(text: string): boolean {
  return /^kind:[ \t]*['"]?app\b/m.test(text) && /^app:/m.test(text) && /^(?:workflow|model_config|version):/m.test(text);
}
