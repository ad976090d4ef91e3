import type { ServerTool, ToolDefinition, ToolServer } from '../tool-server.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const { project: id, toolServer: serverId, serverTool: toolId, agent: agentId } = sampleIds;
const url = 'https://tools.example.com/mcp';

const server: ToolServer = {
  id: serverId,
  projectId: id,
  kind: 'http',
  name: 'Tickets',
  url,
  auth: { kind: 'key', header: 'Authorization' },
  hasKey: true,
  keyLast4: 'f00d',
  testedAt: sampleTimes.started,
  problem: null,
  about: { name: 'tickets', version: '2.1.0' },
  tools: { pinned: 1, changed: 0, missing: 0 },
  refused: [],
  refusedCount: 0,
  createdAt: sampleTimes.created,
  updatedAt: sampleTimes.created,
};
const definition: ToolDefinition = {
  title: 'Find tickets',
  description: 'Returns tickets that contain the words.',
  schema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
  readOnly: true,
  idempotent: true,
  destructive: false,
  openWorld: true,
  tokens: 42,
  hash: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
};
const tool: ServerTool = {
  id: toolId,
  serverId,
  name: 'find_tickets',
  callName: 'tickets_find_tickets',
  definition,
  effect: 'read',
  policy: 'auto',
  policies: ['always', 'auto', 'ask', 'never'],
  state: 'pinned',
  change: null,
  pinnedAt: sampleTimes.created,
};

export const toolServerOperations: OperationDocs<'toolServer'> = {
  'toolServer.list': {
    summary: 'List the tool servers of a project',
    description:
      'Returns the tool servers of a project of the caller, first those of the operator, which are in all projects. Keys are never returned.',
    example: { params: { id }, response: [server] },
  },
  'toolServer.create': {
    summary: 'Add a tool server to a project',
    description:
      'Adds an MCP server over streamable HTTP: with a header key, an OAuth client (`client_credentials`), or a sign-in of a person with an optional secret. Keys are encrypted and bound to their hosts. Fails with `tools_refused` for an address that this server does not call.',
    example: {
      params: { id },
      body: { name: server.name, url, auth: { kind: 'key', header: 'Authorization', key: 'a-long-key-f00d' } },
      response: { ...server, testedAt: null, about: null, tools: { pinned: 0, changed: 0, missing: 0 } },
    },
  },
  'toolServer.update': {
    summary: 'Change a tool server',
    description:
      'Changes name, address or authentication; what is left out stays. A key is removed when a host changes without a new key. Servers of the operator cannot be changed.',
    example: { params: { id, serverId }, body: { name: 'Our tickets' }, response: { ...server, name: 'Our tickets' } },
  },
  'toolServer.remove': {
    summary: 'Remove a tool server',
    description:
      'Removes a tool server of a project of the caller with its tools. Agents lose them. Servers of the operator cannot be removed.',
    example: { params: { id, serverId } },
  },
  'toolServer.test': {
    summary: 'Ask a tool server for its tools',
    description:
      'Pins new tools by their hash: with the policy `auto` if they change nothing, else `ask`. A tool whose definition differs from its pinned one becomes `changed` and is switched off. A failed connection is told by `server.problem`, not by the status.',
    example: { params: { id, serverId }, response: { server, tools: [tool] } },
  },
  'toolServer.signIn': {
    summary: 'Begin a sign-in to a tool server',
    description:
      'Asks the tool server where people sign in, registers there unless a client id is given, and returns the page for the person. The page leads back to `/test-project` with `state` and `code`, within ten minutes. Fails with `tools_refused` where this is not possible, also where the secret of the client is for another token address.',
    example: {
      params: { id, serverId },
      response: { url: 'https://login.example.com/authorize?client_id=artel&state=…', host: 'login.example.com' },
    },
  },
  'toolServer.endSignIn': {
    summary: 'End a sign-in to a tool server',
    description:
      'Exchanges the code for tokens, which are encrypted, bound to the host of the tool server and never returned. Each sign-in ends once. Fails with `tools_refused` for another or an old `state`, or a code that is refused.',
    example: {
      params: { id, serverId },
      body: { state: 'tools.019a2f10', code: 'f1c0ffee' },
      response: { ...server, auth: { kind: 'account', clientId: '', scope: '' }, keyLast4: null },
    },
  },
  'toolServer.tools': {
    summary: 'List the tools of a project',
    description: 'Returns the tools of all tool servers of a project of the caller, or of one server, without calling a server.',
    example: { params: { id }, query: { serverId, limit: 200 }, response: [tool] },
  },
  'toolServer.setPolicy': {
    summary: 'Set the policy of a tool',
    description:
      'Sets the policy of a tool: `always` asks no one, `auto` asks once outside results are in the run, `ask` asks each time, `never` refuses. Fails with `tools_refused` where `always` or `auto` is set for a tool that may change something.',
    example: { params: { id, toolId }, body: { policy: 'ask' }, response: { ...tool, policy: 'ask' } },
  },
  'toolServer.accept': {
    summary: 'Accept the changed definition of a tool',
    description:
      'Pins the definition that the person has seen, named by its hash. Fails with 409 `tool_changed` when the server describes the tool otherwise by now.',
    example: { params: { id, toolId }, body: { hash: definition.hash }, response: tool },
  },
  'toolServer.agentTools': {
    summary: 'Get the tools of an agent',
    description:
      'Returns which tools an agent of the caller may call in runs of the project, and about how many tokens their definitions cost.',
    example: { params: { id, agentId }, response: { toolIds: [toolId], tokens: 42 } },
  },
  'toolServer.putAgentTools': {
    summary: 'Set the tools of an agent',
    description: 'Replaces the tools that an agent of the caller may call in runs of the project: 20 at most.',
    example: { params: { id, agentId }, body: { toolIds: [toolId] }, response: { toolIds: [toolId], tokens: 42 } },
  },
};
