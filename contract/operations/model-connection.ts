import type { OperationDocs } from './operation.ts';
import { ids } from './samples.ts';

/** Servers of models and of tools. */
export const modelConnectionOperations: OperationDocs<'modelConnection' | 'toolServer'> = {
  'modelConnection.list': [
    'List connections to models',
    'Returns the connections that agents of the caller can use: those of the operator, of the caller, and of the named project. Keys and values of headers are never returned.',
  ],
  'modelConnection.local': [
    'Find servers of models on this machine',
    'Looks for Ollama and LM Studio at their usual ports. Returns an empty list unless the server itself can be reached from this machine only.',
    { response: [{ address: 'http://127.0.0.1:11434/v1', models: 4 }] },
  ],
  'modelConnection.known': [
    'List the offered models of each provider',
    'Returns the names that are offered for agents without a connection. Each has what the tables of Artel know: window, abilities, price, and its end.',
    { response: [{ provider: 'anthropic', models: [{ id: 'claude-sonnet-5-5', context: 1_000_000 }] }] },
  ],
  'modelConnection.create': [
    'Add a connection to models',
    'Adds a connection of the caller, or of a project of the caller. The key and the values of headers are encrypted and bound to the host. Fails with `bad_request` for a key of another provider, an address with a key, or a field that calls have themselves.',
    {
      body: { name: 'Our server', address: 'https://models.example.com/v1', apiKey: 'a-long-key-f00d' },
      response: { headerNames: [], extraBody: null, defaultModel: null, modelCount: null, modelsAt: null, agents: 0 },
    },
  ],
  'modelConnection.update': [
    'Change a connection to models',
    'What is left out stays. A new host removes the key and the headers that were stored for the old one. Connections of the operator cannot be changed.',
    { body: { name: 'Our models' } },
  ],
  'modelConnection.remove': [
    'Remove a connection to models',
    'Fails with `connection_used` and `details.agents` while agents use it, unless `evenIfUsed=true`: then these agents have no connection. Connections of the operator cannot be removed.',
    { query: { evenIfUsed: 'true' } },
  ],
  'modelConnection.models': [
    'List the models of a connection',
    'Returns the stored list of the server, and reads it when it is older than a day. `query` selects names that hold a text. Of a list that is too long `leftOut` models are not kept.',
    { query: { query: 'qwen' } },
  ],
  'modelConnection.readModels': [
    'Read the models of a connection now',
    'Asks the server for its list. Where that fails, `problem` tells why, and the items are those of the last reading.',
  ],
  'modelConnection.test': [
    'Test a connection to models',
    'Makes one call with a tool, and tells what it has shown: text, streaming, tools, thinking, cached tokens, and whether the price is known. The call costs like any other. A failed call is told by `problem`, not by the status.',
    { body: { model: 'qwen3:32b' } },
  ],
  'modelConnection.use': [
    'Have agents use a connection',
    'Gives agents of the caller this connection and a model. Returns what changes; with `isPreview` nothing does.',
    {
      body: { agentIds: [ids.agent], model: 'qwen3:32b', isPreview: true },
      response: { agents: [{ before: 'openai · gpt-4', after: 'Our server · qwen3:32b' }] },
    },
  ],
  'toolServer.list': [
    'List the tool servers of a project',
    'Returns the tool servers of a project of the caller, first those of the operator, which are in all projects. Keys are never returned.',
  ],
  'toolServer.create': [
    'Add a tool server to a project',
    'Adds an MCP server over streamable HTTP: with a header key, an OAuth client (`client_credentials`), or a sign-in of a person with an optional secret. Keys are encrypted and bound to their hosts. Fails with `tools_refused` for an address that this server does not call.',
    { body: { auth: { kind: 'key', key: 'a-long-key-f00d' } }, response: { testedAt: null, about: null, tools: { pinned: 0 } } },
  ],
  'toolServer.update': [
    'Change a tool server',
    'Changes name, address or authentication; what is left out stays. A key is removed when a host changes without a new key. Servers of the operator cannot be changed.',
    { body: { name: 'Our tickets' } },
  ],
  'toolServer.remove': [
    'Remove a tool server',
    'Removes a tool server of a project of the caller with its tools. Agents lose them. Servers of the operator cannot be removed.',
  ],
  'toolServer.test': [
    'Ask a tool server for its tools',
    'Pins new tools by their hash: with the policy `auto` if they change nothing, else `ask`. A tool whose definition differs from its pinned one becomes `changed` and is switched off. A failed connection is told by `server.problem`, not by the status.',
  ],
  'toolServer.signIn': [
    'Begin a sign-in to a tool server',
    'Asks the tool server where people sign in, registers there unless a client id is given, and returns the page for the person. The page leads back to `/test-project` with `state` and `code`, within ten minutes. Fails with `tools_refused` where this is not possible, also where the secret of the client is for another token address.',
    { response: { url: 'https://login.example.com/authorize?client_id=artel&state=…', host: 'login.example.com' } },
  ],
  'toolServer.endSignIn': [
    'End a sign-in to a tool server',
    'Exchanges the code for tokens, which are encrypted, bound to the host of the tool server and never returned. Each sign-in ends once. Fails with `tools_refused` for another or an old `state`, or a code that is refused.',
    {
      body: { state: 'tools.019a2f10', code: 'f1c0ffee' },
      response: { auth: { kind: 'account', clientId: '', scope: '' }, keyLast4: null },
    },
  ],
  'toolServer.tools': [
    'List the tools of a project',
    'Returns the tools of all tool servers of a project of the caller, or of one server, without calling a server.',
    { query: { serverId: ids.toolServer, limit: 200 } },
  ],
  'toolServer.setPolicy': [
    'Set the policy of a tool',
    'Sets the policy of a tool: `always` asks no one, `auto` asks once outside results are in the run, `ask` asks each time, `never` refuses. Fails with `tools_refused` where `always` or `auto` is set for a tool that may change something.',
    { body: { policy: 'ask' } },
  ],
  'toolServer.accept': [
    'Accept the changed definition of a tool',
    'Pins the definition that the person has seen, named by its hash. Fails with 409 `tool_changed` when the server describes the tool otherwise by now.',
    { body: { hash: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824' } },
  ],
  'toolServer.agentTools': [
    'Get the tools of an agent',
    'Returns which tools an agent of the caller may call in runs of the project, and about how many tokens their definitions cost.',
    { response: { tokens: 42 } },
  ],
  'toolServer.putAgentTools': [
    'Set the tools of an agent',
    'Replaces the tools that an agent of the caller may call in runs of the project: 20 at most.',
    { response: { tokens: 42 } },
  ],
};
