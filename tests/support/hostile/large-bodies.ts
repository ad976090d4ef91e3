import { Agent, request } from 'node:http';

/** Sends as browsers do: a refusal then reaches the caller while it still sends. */
const agent = new Agent({ keepAlive: true });

export type Answer = { status: number; retryAfter: string | null; text: string };

/** Sends a prepared body as JSON. Returns status 0 for a connection that the server cuts. */
export function sendBytes(url: string, accessToken: string | null, method: string, path: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const call = request(`${url}/api${path}`, {
      method,
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        ...(accessToken !== null && { authorization: `Bearer ${accessToken}` }),
      },
    });
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'] ?? null,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('error', (error) => resolve({ status: 0, retryAfter: null, text: error.message }));
    call.end(body);
  });
}

/** A canvas with this many nodes, each linked to the next, whose texts fill `bytes`. */
export function largeCanvas(nodeCount: number, bytes: number): { nodes: Record<string, object>; connections: Record<string, object> } {
  const ids = Array.from({ length: nodeCount }, (_, index) => `node-${index}`);
  const perNode = Math.max(0, Math.floor(bytes / nodeCount) - 300);
  const description = 'Sums up, in a few words, what the others found. '.repeat(90).slice(0, Math.min(perNode, 4_000));
  const nodes = ids.map((id, index) => [
    id,
    { id, type: 'dialog', title: `Dialog ${index}`, description, x: index * 10, y: index % 100, goal: 'Decide', autoStartSimulation: true },
  ]);
  const links = ids.slice(1).map((to, index) => {
    const id = `link-${index}`;
    return [id, { id, from: { agentId: ids[index], port: 'out' }, to: { agentId: to, port: 'in' } }];
  });
  return { nodes: Object.fromEntries(nodes), connections: Object.fromEntries(links) };
}
