import type { ConnectionModel, ConnectionTest, ModelConnection } from '../model-connection.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const { modelConnection: id, agent } = sampleIds;
const model: ConnectionModel = { id: 'qwen3:32b', context: 40_960, tools: true };
const connection: ModelConnection = {
  id,
  createdAt: sampleTimes.created,
  updatedAt: sampleTimes.created,
  owner: 'user',
  projectId: null,
  name: 'Our server',
  provider: 'compatible',
  address: 'https://models.example.com/v1',
  folderId: null,
  hasKey: true,
  keyLast4: 'f00d',
  headerNames: ['X-Team'],
  extraBody: { num_ctx: 32_768 },
  defaultModel: model.id,
  modelCount: 1,
  modelsAt: sampleTimes.started,
  modelsProblem: null,
  tested: null,
  agents: 2,
};
const test: ConnectionTest = {
  at: sampleTimes.started,
  model: model.id,
  text: true,
  streaming: true,
  tools: true,
  thinking: null,
  cached: null,
  hasPrice: false,
  ms: 840,
  problem: null,
};
const models = { items: [model], total: 1, leftOut: 0, at: sampleTimes.started, problem: null };

export const modelConnectionOperations: OperationDocs<'modelConnection'> = {
  'modelConnection.list': {
    summary: 'List connections to models',
    description:
      'Returns the connections that agents of the caller can use: those of the operator, of the caller, and of the named project. Keys and values of headers are never returned.',
    example: { response: [connection] },
  },
  'modelConnection.local': {
    summary: 'Find servers of models on this machine',
    description:
      'Looks for Ollama and LM Studio at their usual ports. Returns an empty list unless the server itself can be reached from this machine only.',
    example: { response: [{ provider: 'ollama', address: 'http://127.0.0.1:11434/v1', models: 4 }] },
  },
  'modelConnection.known': {
    summary: 'List the offered models of each provider',
    description:
      'Returns the names that are offered for agents without a connection. Each has what the tables of Artel know: window, abilities, price, and its end.',
    example: { response: [{ provider: 'anthropic', models: [{ id: 'claude-sonnet-5-5', tools: true }] }] },
  },
  'modelConnection.create': {
    summary: 'Add a connection to models',
    description:
      'Adds a connection of the caller, or of a project of the caller. The key and the values of headers are encrypted and bound to the host. Fails with `bad_request` for a key of another provider, an address with a key, or a field that calls have themselves.',
    example: {
      body: { name: connection.name, provider: 'compatible', address: connection.address, apiKey: 'a-long-key-f00d' },
      response: { ...connection, headerNames: [], extraBody: null, defaultModel: null, modelCount: null, modelsAt: null, agents: 0 },
    },
  },
  'modelConnection.update': {
    summary: 'Change a connection to models',
    description:
      'What is left out stays. A new host removes the key and the headers that were stored for the old one. Connections of the operator cannot be changed.',
    example: { params: { id }, body: { name: 'Our models' }, response: { ...connection, name: 'Our models' } },
  },
  'modelConnection.remove': {
    summary: 'Remove a connection to models',
    description:
      'Fails with `connection_used` and `details.agents` while agents use it, unless `evenIfUsed=true`: then these agents have no connection. Connections of the operator cannot be removed.',
    example: { params: { id }, query: { evenIfUsed: 'true' } },
  },
  'modelConnection.models': {
    summary: 'List the models of a connection',
    description:
      'Returns the stored list of the server, and reads it when it is older than a day. `query` selects names that hold a text. Of a list that is too long `leftOut` models are not kept.',
    example: { params: { id }, query: { query: 'qwen' }, response: models },
  },
  'modelConnection.readModels': {
    summary: 'Read the models of a connection now',
    description: 'Asks the server for its list. Where that fails, `problem` tells why, and the items are those of the last reading.',
    example: { params: { id }, response: models },
  },
  'modelConnection.test': {
    summary: 'Test a connection to models',
    description:
      'Makes one call with a tool, and tells what it has shown: text, streaming, tools, thinking, cached tokens, and whether the price is known. The call costs like any other. A failed call is told by `problem`, not by the status.',
    example: { params: { id }, body: { model: model.id }, response: test },
  },
  'modelConnection.use': {
    summary: 'Have agents use a connection',
    description: 'Gives agents of the caller this connection and a model. Returns what changes; with `isPreview` nothing does.',
    example: {
      params: { id },
      body: { agentIds: [agent], model: model.id, isPreview: true },
      response: { agents: [{ agentId: agent, title: 'Developer', before: 'openai · gpt-4', after: 'Our server · qwen3:32b' }] },
    },
  },
};
