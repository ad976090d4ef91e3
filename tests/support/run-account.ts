import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Agent } from '../../contract/agent.ts';
import type { Execution, ExecutionDetails, ExecutionStart } from '../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import type { ResultItem } from '../../contract/executions/result.ts';
import { waitingList } from './waiting-list.ts';

export type Reply<T> = { status: number; body: T; headers: Headers };

/** A signed-up user with a team, who runs it through the API of a running server. */
export type RunAccount = ReturnType<typeof doingsAt> & {
  /** The same user, in the same session, at another server. */
  at: (server: { url: string }) => RunAccount;
  /** The same user with another access token. */
  with: (accessToken: string) => RunAccount;
};

/** The longest wait for a state (ms). */
const patienceMs = 90_000;

const password = 'a long quiet river';

export async function signUp(url: string, language: 'ru' | 'en' = 'en'): Promise<RunAccount> {
  const email = `${randomUUID()}@example.com`;
  const person = { email, password, name: 'Ann' };
  const { body } = await send<Session>(url, 'POST', '/auth/register', person, { 'accept-language': language });
  const { accessToken, refreshToken, user } = body;
  const signedIn = { email, language, userId: user.id, accessToken, refreshToken };
  const agents = await accountAt(url, { ...signedIn, agents: [] }).call<Agent[]>('GET', '/nuroagent');
  return accountAt(url, { ...signedIn, agents: agents.body });
}

type Session = { accessToken: string; refreshToken: string; user: { id: string } };
type Person = { email: string; language: 'ru' | 'en'; userId: string; accessToken: string; refreshToken: string; agents: Agent[] };

async function send<T>(url: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T, headers: response.headers };
}

function accountAt(url: string, person: Person): RunAccount {
  return {
    ...doingsAt(url, person),
    at: (server) => accountAt(server.url, person),
    with: (accessToken) => accountAt(url, { ...person, accessToken }),
  };
}

function doingsAt(url: string, person: Person) {
  const { email, language, userId, accessToken, refreshToken, agents } = person;
  const authorization = `Bearer ${accessToken}`;
  const call = <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send<T>(url, method, path, body, { authorization, 'accept-language': language, ...headers });
  /** Creates a set of files for a run that has one text, and returns its id. */
  const giveFile = async (path: string, text: string): Promise<string> => {
    const { body: set } = await call<{ id: string }>('POST', '/inputSet', { projectId: 'default' });
    const put = await fetch(`${url}/api/inputSet/${set.id}/file?path=${encodeURIComponent(path)}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/octet-stream' },
      body: text,
    });
    if (put.status !== 200) throw new Error(`The file ${path} was refused with ${put.status}.`);
    return set.id;
  };
  const details = async (id: string) => (await call<ExecutionDetails>('GET', `/PipelineExecution/${id}/details`)).body;

  return {
    giveFile,
    url,
    email,
    userId,
    accessToken,
    refreshToken,
    agents,
    call,
    details,

    agent(name: string): Agent {
      const found = agents.find((agent) => agent.name === name);
      if (!found) throw new Error(`There is no agent ${name}.`);
      return found;
    },

    /** Creates a pipeline of the agents with these menu keys, in this order. */
    async pipeline(...names: string[]): Promise<Pipeline> {
      const steps = names.map((name) => ({ name: this.agent(name).title, agentId: this.agent(name).id, nodeId: `node-${name}` }));
      const answer = await call<Pipeline>('POST', '/Pipeline', { name: names.join(' '), projectId: 'default', steps });
      if (answer.status !== 201) throw new Error(`The pipeline was not created: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },

    async start(pipeline: Pipeline, task: string, more: Partial<ExecutionStart> = {}): Promise<Execution> {
      const body = { pipelineId: pipeline.id, inputData: { task }, ...more };
      const answer = await call<Execution>('POST', '/PipelineExecution/start', body);
      if (answer.status !== 202) throw new Error(`The execution was not started: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },

    act: (id: string, action: 'pause' | 'resume' | 'stop' | 'next-step') => call<Execution>('POST', `/PipelineExecution/${id}/${action}`),

    logs: async (id: string, since = 0) => (await call<ExecutionEvent[]>('GET', `/PipelineExecution/${id}/logs?since=${since}`)).body,

    history: async () => (await call<ResultItem[]>('GET', '/ProjectResultHistory/project/default')).body,

    /** Waits until the execution fits. A refused call, as during an outage, does not fit. A long wait looks less often: a look takes 10 ms of a processor. */
    async until(id: string, fits: (now: ExecutionDetails) => boolean): Promise<ExecutionDetails> {
      const limit = Date.now() + patienceMs;
      for (let pauseMs = 20; ; pauseMs = Math.min(1.5 * pauseMs, 120)) {
        await wait(pauseMs);
        const { status, body: now } = await call<ExecutionDetails>('GET', `/PipelineExecution/${id}/details`);
        if (status === 200 && fits(now)) return now;
        if (Date.now() <= limit) continue;
        if (status !== 200) throw new Error(`The execution is not shown: ${status}.`);
        throw new Error(`The execution stayed ${now.status}: ${JSON.stringify(now.steps.map((step) => step.status))}`);
      }
    },

    /** Signs in again: another session of the same account. */
    signInAgain: async () => (await send<Session>(url, 'POST', '/auth/login', { email, password })).body,

    /** Opens a socket below /api, by a ticket or a token, and collects its messages. `query` has more parameters of its URL. */
    socket: (path = '/natsws', { ticket, token = accessToken, origin, query = '' }: SocketOptions = {}) =>
      openSocket(`${url.replace('http', 'ws')}/api${path}?${ticket === undefined ? `token=${token}` : `ticket=${ticket}`}${query}`, origin),
  };
}

type SocketOptions = { ticket?: string; token?: string; origin?: string; query?: string };

export type Listening = Awaited<ReturnType<typeof openSocket>>;
// biome-ignore lint/suspicious/noExplicitAny: the tests check the messages.
type Message = any;

async function openSocket(address: string, origin: string | undefined) {
  const socket = new WebSocket(address, origin === undefined ? {} : { origin });
  const { items: messages, add, until } = waitingList<Message>('message', patienceMs);
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  socket.on('message', (data) => {
    add(JSON.parse(String(data)));
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('unexpected-response', (_request, response) => reject(new Error(`refused with ${response.statusCode}`)));
    socket.on('error', reject);
  });
  return {
    messages,
    say: (message: object) => socket.send(JSON.stringify(message)),
    /** Waits for a message. */
    until,
    /** The code with which the server closed. */
    closed,
    close: () => {
      socket.close();
      return closed;
    },
  };
}
