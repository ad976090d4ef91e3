import { randomUUID } from 'node:crypto';
import type { Agent } from '../../../contract/agent.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { HttpClient } from './http-client.ts';

/** An account with a pipeline whose agents all use the same scripted model. */
export type Account = {
  token: string;
  userId: string;
  pipelineId: string;
  agentIds: string[];
  call: <T>(method: string, path: string, body?: object) => Promise<{ status: number; body: T }>;
  /** Starts a run of the pipeline and answers with its id. Throws when the server refuses. */
  start: () => Promise<string>;
};

const team = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa'];

/** Signs up an account with a pipeline of so many agents, which all use `model`. */
export async function openAccount(client: HttpClient, model: string, steps = team.length): Promise<Account> {
  const person = { email: `${randomUUID()}@example.com`, password: 'a long quiet river', name: 'Bench' };
  const answer = await client.send('POST', '/api/auth/register', { body: JSON.stringify(person) });
  if (answer.status !== 201) throw new Error(`No account was opened: ${answer.status} ${answer.body}`);
  const session = JSON.parse(answer.body) as { accessToken: string; user: { id: string } };
  const token = session.accessToken;

  const call = async <T>(method: string, path: string, body?: object) => {
    const sent = await client.send(method, `/api${path}`, { token, ...(body && { body: JSON.stringify(body) }) });
    return { status: sent.status, body: (sent.body === '' ? null : JSON.parse(sent.body)) as T };
  };
  const demand = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const given = await call<T>(method, path, body);
    if (given.status >= 300) throw new Error(`${method} ${path} answered ${given.status}: ${JSON.stringify(given.body)}`);
    return given.body;
  };

  const agents = await demand<Agent[]>('GET', '/nuroagent');
  const chosen = team.slice(0, steps).map((name) => agents.find((agent) => agent.name === name) as Agent);
  for (const agent of chosen) await demand('PUT', `/nuroagent/${agent.id}/api-configuration`, { model });
  const pipeline = await demand<Pipeline>('POST', '/Pipeline', {
    name: model,
    projectId: 'default',
    steps: chosen.map((agent) => ({ name: agent.title, agentId: agent.id, nodeId: agent.id })),
  });
  const start = JSON.stringify({ pipelineId: pipeline.id, inputData: { task: 'Measure this.' } });
  return {
    token,
    userId: session.user.id,
    pipelineId: pipeline.id,
    agentIds: chosen.map(({ id }) => id),
    call,
    async start() {
      const { status, body } = await client.send('POST', '/api/PipelineExecution/start', { token, body: start });
      if (status !== 202) throw new Error(`A run was not started: ${status} ${body}`);
      return (JSON.parse(body) as { id: string }).id;
    },
  };
}
