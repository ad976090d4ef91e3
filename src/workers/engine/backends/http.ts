import { type ErrorCode, errorCodes } from '../../../../contract/errors.ts';
import type { Execution } from '../../../../contract/executions/execution.ts';
import type { ResponseOf } from '../../../../contract/route.ts';
import type { RouteName, Routes } from '../../../../contract/routes.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { Api, Sending } from '../../../api/create-api.ts';
import type { Problem } from '../../../model/problem.ts';
import { type FoundResults, maxHistoryLength, thoughtsPerPage } from '../../../model/reader.ts';
import type { Answer, Backend, BackendError } from './port.ts';

const pageLength = 200;
/** Characters that a search may have. */
const maxSearchLength = 200;

/** The server, called over its API. A failed call returns a fault. */
export function createHttpBackend(api: Api): Backend {
  const server: Server = { api, ask: (name, ...sent) => answer(api.call(name, ...sent)) };
  return {
    ...projectCalls(server),
    ...agentCalls(server),
    ...runCalls(server),
    ...publishingCalls(server),
    ...inputCalls(server),
    ...questionCalls(server),
    ...toolCalls(server),
    ...connectionCalls(server),
    ...accountCalls(server),
  };
}

/** The API, and one call of it that returns a fault when it fails. */
type Server = { api: Api; ask: <K extends RouteName>(name: K, ...sent: Sending<K>) => Promise<Answer<ResponseOf<Routes[K]>>> };

const projectCalls = ({ api, ask }: Server) =>
  ({
    openProject: (id) => ask('project.get', { params: { id } }),
    listProjects: () => answer(everyPage((query) => api.call('project.list', { query }))),
    createProject: (body, key) => ask('project.create', { body, ...key }),
    updateProject: (id, body) => ask('project.update', { params: { id }, body }),
    setProjectStatus: (id, status) => ask('project.setStatus', { params: { id }, body: { status } }),
    removeProject: (id) => ask('project.remove', { params: { id } }),
    projectStatistics: (id) => ask('project.statistics', { params: { id } }),
    readCanvas: (id) => ask('project.canvas', { params: { id } }),
    patchCanvas: (id, change, key) => ask('project.patchCanvas', { params: { id }, body: change, ...key }),
    putCanvas: (id, canvas, key) => ask('project.putCanvas', { params: { id }, body: canvas, ...key }),
    listVersions: (id, query) => ask('project.versions', { params: { id }, query }),
    listPromptChanges: (id, query) => ask('project.promptChanges', { params: { id }, query }),
    readVersion: (id, version) => ask('project.version', { params: { id, version } }),
    compareVersions: (id, left, right) => ask('project.compareVersions', { params: { id }, query: { left, right } }),
    listTeamVersions: (id, query) => ask('teamVersion.list', { params: { id }, query }),
    listReleasedTeams: (id) => ask('releasedTeam.list', { params: { id } }),
    listTriggers: (id) => ask('trigger.list', { params: { id } }),
    checkTeamVersion: (id, version) => ask('teamVersion.check', { params: { id, version } }),
    readTeamVersion: (id, version) => ask('teamVersion.get', { params: { id, version } }),
    createTeamVersion: (id, body, key) => ask('teamVersion.create', { params: { id }, body, ...key }),
    restoreTeam: (id, version, seen, key) => ask('teamVersion.restore', { params: { id, version }, body: { seen }, ...key }),
    putMark: (id, version, mark) => ask('project.putMark', { params: { id, version }, body: mark }),
    removeMark: (id, version) => ask('project.removeMark', { params: { id, version } }),
  }) satisfies Partial<Backend>;

const agentCalls = ({ api, ask }: Server) =>
  ({
    listAgents: () => answer(everyPage((query) => api.call('agent.list', { query }))),
    listAgentChanges: (id, query) => ask('agent.changes', { params: { id }, query }),
    createAgent: (agent, key) => ask('agent.create', { body: agent, ...key }),
    setAgentModels: (body) => ask('agent.setModels', { body }),
    configureAgent: (agent, { systemPrompt, ...settings }) =>
      answer(
        (async () => {
          const params = { id: agent.id };
          const updated =
            systemPrompt === undefined ? agent : await api.call('agent.update', { params, body: { configuration: { systemPrompt } } });
          if (Object.keys(settings).length === 0) return updated;
          return { ...updated, apiConfiguration: await api.call('agent.putApiConfiguration', { params, body: settings }) };
        })(),
      ),
    createAgents: (agents, key) => ask('agent.createMany', { body: { agents }, ...key }),
    removeUnusedAgents: (projectId, agentIds, key) => ask('agent.removeUnused', { body: { projectId, agentIds }, ...key }),
    sendCommand: (command, key) => ask('command.executeAsync', { body: { ...command, async: true }, ...key }),
    readCommand: (id) => ask('command.status', { params: { id } }),
    cancelCommand: (id) => ask('command.cancel', { params: { id } }),
    newestCommand: (agentId) =>
      answer(api.call('command.history', { params: { agentId }, query: { limit: 1 } }).then(([newest]) => newest ?? null)),
    listCommands: (agentId, limit) => ask('command.history', { params: { agentId }, query: { limit } }),
    converse: (agentId, chat, key) => ask('command.openai', { params: { agentId }, body: chat, ...key }),
    agentStatistics: (agentId) => ask('agent.statistics', { params: { id: agentId } }),
    agentLoad: (agentId) => ask('command.load', { params: { agentId } }),
    agentAvailability: (agentId) => ask('command.availability', { params: { agentId } }),
  }) satisfies Partial<Backend>;

const runCalls = ({ api, ask }: Server) =>
  ({
    createPipeline: (pipeline, key) => ask('pipeline.create', { body: pipeline, ...key }),
    removePipeline: (id) => ask('pipeline.remove', { params: { id } }),
    listExecutions: (projectId, limit) => ask('execution.list', { query: { projectId, limit } }),
    listUnderWay: () => answer(allUnderWay(api)),
    readExecution: (id) => ask('execution.details', { params: { id } }),
    readLogs: (id, since, limit) => ask('execution.logs', { params: { id }, query: { since, limit } }),
    startExecution: (start, key) => ask('execution.start', { body: start, ...key }),
    controlExecution: (id, action) => ask(controls[action], { params: { id } }),
    createExecution: (body, key) => ask('execution.create', { body, ...key }),
    removeExecution: (id) => ask('execution.remove', { params: { id } }),
    listWaiting: (projectId) =>
      answer(
        everyPage((query) => api.call('execution.list', { query: { projectId, status: 'pending', ...query } })).then((pending) =>
          pending.filter(({ held }) => held),
        ),
      ),
    addContext: (id, context, key) =>
      ask('execution.addContext', { params: { id }, body: { type: 'user_input', source: 'dialog', ...context }, ...key }),
    publishThought: (thought, key) => ask('thought.publish', { body: thought, ...key }),
    readPipeline: (id) => ask('pipeline.get', { params: { id } }),
    fork: (id, body, key) => ask('execution.fork', { params: { id }, body, ...key }),
    previewFork: (id, request) => ask('execution.fork', { params: { id }, body: { ...request, dryRun: true } }),
    compareRuns: (left, right) => ask('execution.compare', { query: { left, right } }),
    readStep: (id, stepId) => ask('execution.step', { params: { id, stepId } }),
    readTestLog: (id, stepId) => ask('execution.testLog', { params: { id, stepId } }),
    listCalls: (id, stepId) => ask('execution.toolCalls', { params: { id }, query: { stepId } }),
    listThoughts: (id, offset) => ask('thought.ofProject', { params: { id }, query: { limit: thoughtsPerPage, offset } }),
  }) satisfies Partial<Backend>;

const publishingCalls = ({ ask }: Server) =>
  ({
    listFiles: (id) => ask('execution.files', { params: { id } }),
    readFile: (id, path) => ask('execution.fileContent', { params: { id }, query: { path } }),
    compareFile: (id, path) => ask('execution.fileComparison', { params: { id }, query: { path } }),
    archiveFiles: (id) => ask('execution.archive', { params: { id } }),
    readPatch: (id) => ask('execution.patch', { params: { id } }),
    readPullRequest: (id) => ask('execution.pullRequest', { params: { id } }),
    readPublication: (id) => ask('execution.publication', { params: { id } }),
    readBundle: (id) => ask('execution.bundle', { params: { id } }),
    gitTarget: (id) => ask('project.gitTarget', { params: { id } }),
    putGitTarget: (id, body) => ask('project.putGitTarget', { params: { id }, body }),
    removeGitTarget: (id) => ask('project.removeGitTarget', { params: { id } }),
    publish: (id, body) => ask('execution.publish', { params: { id }, body }),
    followUp: (id) => ask('execution.followUp', { params: { id } }),
  }) satisfies Partial<Backend>;

const inputCalls = ({ ask }: Server) =>
  ({
    createInputSet: (projectId, copy) => ask('input.create', { body: { projectId, ...copy } }),
    readInputSet: (id) => ask('input.get', { params: { id } }),
    putInputFile: (id, path, content) => ask('input.putFile', { params: { id }, query: { path }, body: content }),
    addInputArchive: (id, content) => ask('input.addArchive', { params: { id }, body: content }),
    addInputRepository: (id, address) => ask('input.addRepository', { params: { id }, body: address }),
    removeInputFile: (id, path) => ask('input.removeFile', { params: { id }, query: { path } }),
    listInputs: (id) => ask('input.get', { params: { id } }),
    listInputFiles: (id, query) => ask('input.files', { params: { id }, query }),
    readInput: (id, path) => ask('input.fileText', { params: { id }, query: { path } }),
  }) satisfies Partial<Backend>;

const questionCalls = ({ api, ask }: Server) =>
  ({
    listQuestions: () => ask('question.list', { query: { state: 'open', limit: pageLength } }),
    readQuestion: (id) => ask('question.get', { params: { id } }),
    createQuestionLink: (id) => ask('question.createLink', { params: { id } }),
    answerQuestion: (id, body, key) => ask('question.answer', { params: { id }, body, ...key }),
    setHolds: (id, body) => ask('execution.setHolds', { params: { id }, body }),
    listResults: (projectId) => ask('result.list', { params: { projectId }, query: { limit: maxHistoryLength } }),
    searchResults: (projectId, text, triggerId = null) => answer(searchResults(api, projectId, { text, triggerId })),
    readResult: (id) => ask('result.get', { params: { id } }),
    removeResult: (id) => ask('result.remove', { params: { id } }),
  }) satisfies Partial<Backend>;

const toolCalls = ({ api, ask }: Server) =>
  ({
    listToolServers: (id) => ask('toolServer.list', { params: { id } }),
    listTools: (id, serverId) =>
      answer(
        everyPage((query) => api.call('toolServer.tools', { params: { id }, query: { ...query, ...(serverId !== null && { serverId }) } })),
      ),
    readAgentTools: (id, agentId) => ask('toolServer.agentTools', { params: { id, agentId } }),
    createToolServer: (id, body, key) => ask('toolServer.create', { params: { id }, body, ...key }),
    updateToolServer: (id, serverId, body) => ask('toolServer.update', { params: { id, serverId }, body }),
    removeToolServer: (id, serverId) => ask('toolServer.remove', { params: { id, serverId } }),
    testToolServer: (id, serverId) => ask('toolServer.test', { params: { id, serverId } }),
    signInToToolServer: (id, serverId) => ask('toolServer.signIn', { params: { id, serverId } }),
    endToolSignIn: (id, serverId, body) => ask('toolServer.endSignIn', { params: { id, serverId }, body }),
    setToolPolicy: (id, toolId, policy) => ask('toolServer.setPolicy', { params: { id, toolId }, body: { policy } }),
    acceptTool: (id, toolId, hash) => ask('toolServer.accept', { params: { id, toolId }, body: { hash } }),
    putAgentTools: (id, agentId, toolIds) => ask('toolServer.putAgentTools', { params: { id, agentId }, body: { toolIds } }),
  }) satisfies Partial<Backend>;

const connectionCalls = ({ ask }: Server) =>
  ({
    listConnections: (projectId) => ask('modelConnection.list', { query: { projectId } }),
    listModels: (id, query) => ask('modelConnection.models', { params: { id }, query: { query } }),
    listKnownModels: () => ask('modelConnection.known'),
    findLocalServers: () => ask('modelConnection.local'),
    previewConnectionUse: (id, use) => ask('modelConnection.use', { params: { id }, body: { ...use, isPreview: true } }),
    createConnection: (body, key) => ask('modelConnection.create', { body, ...key }),
    updateConnection: (id, body) => ask('modelConnection.update', { params: { id }, body }),
    removeConnection: (id, evenIfUsed) =>
      ask('modelConnection.remove', { params: { id }, query: { evenIfUsed: evenIfUsed ? 'true' : 'false' } }),
    readModels: (id) => ask('modelConnection.readModels', { params: { id } }),
    testConnection: (id, model) => ask('modelConnection.test', { params: { id }, body: model === null ? {} : { model } }),
    useConnection: (id, use) => ask('modelConnection.use', { params: { id }, body: use }),
  }) satisfies Partial<Backend>;

const accountCalls = ({ ask }: Server) =>
  ({
    issueSocketTicket: () => ask('auth.socketTicket'),
    readBudgets: (query) => ask('budget.list', { query }),
    readForecast: (projectId, agentIds) => ask('budget.forecast', { body: { projectId, agentIds } }),
    putBudget: (body) => ask('budget.put', { body }),
    removeBudget: (id) => ask('budget.remove', { params: { id } }),
    readStorage: () => ask('storage.get'),
    freeStorage: (kind, olderThanDays) => ask('storage.free', { params: { kind }, query: { olderThanDays } }),
    readHealth: () => ask('health.get'),
    readProfile: () => ask('auth.profile'),
    readRunner: () => ask('runner.get'),
    connectRunner: () => ask('runner.connect'),
    disconnectRunner: () => ask('runner.disconnect'),
    readConfiguration: () => ask('auth.config'),
  }) satisfies Partial<Backend>;

const controls = {
  pause: 'execution.pause',
  resume: 'execution.resume',
  nextStep: 'execution.nextStep',
  stop: 'execution.stop',
} as const satisfies Record<string, RouteName>;

/** Reads pages until the last one, or until one has no new item, since a server may ignore the page parameters. */
async function everyPage<T extends { id: string }>(read: (query: { limit: number; offset: number }) => Promise<T[]>): Promise<T[]> {
  const all = new Map<string, T>();
  for (;;) {
    const offset = all.size;
    const page = await read({ limit: pageLength, offset });
    for (const one of page) all.set(one.id, one);
    if (page.length < pageLength || all.size === offset) return [...all.values()];
  }
}

/** Without a total in the answer, the items that were sent are all that is known. */
type ResultSearch = { text: string; triggerId: string | null };

async function searchResults(api: Api, projectId: string, { text, triggerId }: ResultSearch): Promise<FoundResults> {
  const query = { q: text.slice(0, maxSearchLength), limit: maxHistoryLength, ...(triggerId !== null && { triggerId }) };
  const { value: items, total } = await api.page('result.search', { params: { projectId }, query });
  return { items, total: total ?? items.length };
}

/** Selects the executions that have begun, without those that wait for their start. */
async function allUnderWay(api: Api): Promise<Execution[]> {
  const statuses = ['pending', 'running', 'paused'] as const;
  const found = await Promise.all(statuses.map((status) => api.call('execution.byStatus', { params: { status } })));
  return found.flat().filter(({ held }) => !held);
}

/** The longest wait that a server may ask for (ms): with a proxy's day, edits would stay unsaved for that long. */
const maxPauseMs = 30_000;

async function answer<T>(call: Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const retryAfterMs = error.retryAfterMs === null ? null : Math.min(maxPauseMs, error.retryAfterMs);
    return { ok: false, fault: { kind: kindOf(error), problem: problemOf(error), status: error.status, retryAfterMs } };
  }
}

function kindOf({ status, code }: ApiError): BackendError['kind'] {
  if (status === 401) return 'unauthenticated';
  if (code === 'canvas_stale') return 'stale';
  // An answer that breaks the contract comes from a proxy or a login page in between, not from the server.
  const passing = code === 'bad_answer' || status === 0 || status === 408 || status === 425 || status === 429 || status >= 500;
  return passing ? 'unreachable' : 'refused';
}

/** A code that the locales know is used instead of the server's message. */
function problemOf({ code, message, status, details, errors }: ApiError): Problem {
  const known = errorCodes.includes(code as ErrorCode) || status === 0 || code === 'bad_answer';
  if (!known) return { code: 'api.message', params: { message } };
  if (code === 'timeout') return { code: 'api.timeout', params: { ms: Number(details.timeoutMs) } };
  const { status: state, field, room } = details;
  const problem = {
    code,
    params: {
      message,
      ...(typeof state === 'string' && { status: state }),
      ...(typeof field === 'string' && { field }),
      ...(typeof room === 'number' && { room }),
    },
  };
  if (errors.length === 0) return problem;
  return { ...problem, details: errors.map(({ path, message }) => ({ code: 'api.message', params: { path, message } })) };
}
