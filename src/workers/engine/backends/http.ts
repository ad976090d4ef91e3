import { type ErrorCode, errorCodes } from '../../../../contract/errors.ts';
import type { Execution } from '../../../../contract/executions/execution.ts';
import type { RouteName } from '../../../../contract/routes.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { Api } from '../../../api/create-api.ts';
import type { Problem } from '../../../model/problem.ts';
import { type FoundResults, maxHistoryLength, thoughtsPerPage } from '../../../model/reader.ts';
import type { Answer, Backend, BackendError } from './port.ts';

const pageLength = 200;
/** Characters that a search may have. */
const maxSearchLength = 200;

/** The server, called over its API. A failed call returns a fault. */
export function createHttpBackend(api: Api): Backend {
  return {
    openProject: (id) => answer(api.call('project.get', { params: { id } })),
    listProjects: () => answer(everyPage((query) => api.call('project.list', { query }))),
    createProject: (body, key) => answer(api.call('project.create', { body, ...key })),
    updateProject: (id, body) => answer(api.call('project.update', { params: { id }, body })),
    setProjectStatus: (id, status) => answer(api.call('project.setStatus', { params: { id }, body: { status } })),
    removeProject: (id) => answer(api.call('project.remove', { params: { id } })),
    projectStatistics: (id) => answer(api.call('project.statistics', { params: { id } })),
    readCanvas: (id) => answer(api.call('project.canvas', { params: { id } })),
    patchCanvas: (id, change, key) => answer(api.call('project.patchCanvas', { params: { id }, body: change, ...key })),
    putCanvas: (id, canvas, key) => answer(api.call('project.putCanvas', { params: { id }, body: canvas, ...key })),

    listVersions: (id, query) => answer(api.call('project.versions', { params: { id }, query })),
    readVersion: (id, version) => answer(api.call('project.version', { params: { id, version } })),
    compareVersions: (id, left, right) => answer(api.call('project.compareVersions', { params: { id }, query: { left, right } })),
    putMark: (id, version, mark) => answer(api.call('project.putMark', { params: { id, version }, body: mark })),
    removeMark: (id, version) => answer(api.call('project.removeMark', { params: { id, version } })),

    listAgents: () => answer(everyPage((query) => api.call('agent.list', { query }))),
    createAgent: (agent, key) => answer(api.call('agent.create', { body: agent, ...key })),
    setAgentModels: (body) => answer(api.call('agent.setModels', { body })),
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

    createPipeline: (pipeline, key) => answer(api.call('pipeline.create', { body: pipeline, ...key })),
    removeAgent: (id) => answer(api.call('agent.remove', { params: { id } })),
    removePipeline: (id) => answer(api.call('pipeline.remove', { params: { id } })),

    listExecutions: (projectId, limit) => answer(api.call('execution.list', { query: { projectId, limit } })),
    listUnderWay: () => answer(allUnderWay(api)),
    readExecution: (id) => answer(api.call('execution.details', { params: { id } })),
    readLogs: (id, since, limit) => answer(api.call('execution.logs', { params: { id }, query: { since, limit } })),
    startExecution: (start, key) => answer(api.call('execution.start', { body: start, ...key })),
    controlExecution: (id, action) => answer(api.call(controls[action], { params: { id } })),
    createExecution: (body, key) => answer(api.call('execution.create', { body, ...key })),
    removeExecution: (id) => answer(api.call('execution.remove', { params: { id } })),
    listWaiting: (projectId) =>
      answer(
        everyPage((query) => api.call('execution.list', { query: { projectId, status: 'pending', ...query } })).then((pending) =>
          pending.filter(({ held }) => held),
        ),
      ),
    addContext: (id, context, key) =>
      answer(api.call('execution.addContext', { params: { id }, body: { type: 'user_input', source: 'dialog', ...context }, ...key })),

    createInputSet: (projectId, copy) => answer(api.call('input.create', { body: { projectId, ...copy } })),
    readInputSet: (id) => answer(api.call('input.get', { params: { id } })),
    putInputFile: (id, path, content) => answer(api.call('input.putFile', { params: { id }, query: { path }, body: content })),
    addInputArchive: (id, content) => answer(api.call('input.addArchive', { params: { id }, body: content })),
    addInputRepository: (id, address) => answer(api.call('input.addRepository', { params: { id }, body: address })),
    removeInputFile: (id, path) => answer(api.call('input.removeFile', { params: { id }, query: { path } })),

    listQuestions: () => answer(api.call('question.list', { query: { state: 'open', limit: pageLength } })),
    readQuestion: (id) => answer(api.call('question.get', { params: { id } })),
    createQuestionLink: (id) => answer(api.call('question.createLink', { params: { id } })),
    answerQuestion: (id, body, key) => answer(api.call('question.answer', { params: { id }, body, ...key })),
    setHolds: (id, body) => answer(api.call('execution.setHolds', { params: { id }, body })),

    listResults: (projectId) => answer(api.call('result.list', { params: { projectId }, query: { limit: maxHistoryLength } })),
    searchResults: (projectId, text) => answer(searchResults(api, projectId, text)),
    readResult: (id) => answer(api.call('result.get', { params: { id } })),
    removeResult: (id) => answer(api.call('result.remove', { params: { id } })),

    sendCommand: (command, key) => answer(api.call('command.executeAsync', { body: { ...command, async: true }, ...key })),
    readCommand: (id) => answer(api.call('command.status', { params: { id } })),
    cancelCommand: (id) => answer(api.call('command.cancel', { params: { id } })),
    newestCommand: (agentId) =>
      answer(api.call('command.history', { params: { agentId }, query: { limit: 1 } }).then(([newest]) => newest ?? null)),
    listCommands: (agentId, limit) => answer(api.call('command.history', { params: { agentId }, query: { limit } })),
    converse: (agentId, chat, key) => answer(api.call('command.openai', { params: { agentId }, body: chat, ...key })),
    publishThought: (thought, key) => answer(api.call('thought.publish', { body: thought, ...key })),
    issueSocketTicket: () => answer(api.call('auth.socketTicket')),
    agentStatistics: (agentId) => answer(api.call('agent.statistics', { params: { id: agentId } })),
    agentLoad: (agentId) => answer(api.call('command.load', { params: { agentId } })),
    agentAvailability: (agentId) => answer(api.call('command.availability', { params: { agentId } })),
    readPipeline: (id) => answer(api.call('pipeline.get', { params: { id } })),
    fork: (id, body, key) => answer(api.call('execution.fork', { params: { id }, body, ...key })),
    previewFork: (id, request) => answer(api.call('execution.fork', { params: { id }, body: { ...request, dryRun: true } })),
    compareRuns: (left, right) => answer(api.call('execution.compare', { query: { left, right } })),
    readStep: (id, stepId) => answer(api.call('execution.step', { params: { id, stepId } })),
    readTestLog: (id, stepId) => answer(api.call('execution.testLog', { params: { id, stepId } })),
    listInputs: (id) => answer(api.call('input.get', { params: { id } })),
    listInputFiles: (id, query) => answer(api.call('input.files', { params: { id }, query })),
    readInput: (id, path) => answer(api.call('input.fileText', { params: { id }, query: { path } })),
    listFiles: (id) => answer(api.call('execution.files', { params: { id } })),
    readFile: (id, path) => answer(api.call('execution.fileContent', { params: { id }, query: { path } })),
    compareFile: (id, path) => answer(api.call('execution.fileComparison', { params: { id }, query: { path } })),
    archiveFiles: (id) => answer(api.call('execution.archive', { params: { id } })),
    readPatch: (id) => answer(api.call('execution.patch', { params: { id } })),
    readPullRequest: (id) => answer(api.call('execution.pullRequest', { params: { id } })),
    readPublication: (id) => answer(api.call('execution.publication', { params: { id } })),
    readBundle: (id) => answer(api.call('execution.bundle', { params: { id } })),
    gitTarget: (id) => answer(api.call('project.gitTarget', { params: { id } })),
    putGitTarget: (id, body) => answer(api.call('project.putGitTarget', { params: { id }, body })),
    removeGitTarget: (id) => answer(api.call('project.removeGitTarget', { params: { id } })),
    publish: (id, body) => answer(api.call('execution.publish', { params: { id }, body })),
    followUp: (id) => answer(api.call('execution.followUp', { params: { id } })),
    listCalls: (id, stepId) => answer(api.call('execution.toolCalls', { params: { id }, query: { stepId } })),
    listToolServers: (id) => answer(api.call('toolServer.list', { params: { id } })),
    listTools: (id, serverId) =>
      answer(
        everyPage((query) => api.call('toolServer.tools', { params: { id }, query: { ...query, ...(serverId !== null && { serverId }) } })),
      ),
    readAgentTools: (id, agentId) => answer(api.call('toolServer.agentTools', { params: { id, agentId } })),
    createToolServer: (id, body, key) => answer(api.call('toolServer.create', { params: { id }, body, ...key })),
    updateToolServer: (id, serverId, body) => answer(api.call('toolServer.update', { params: { id, serverId }, body })),
    removeToolServer: (id, serverId) => answer(api.call('toolServer.remove', { params: { id, serverId } })),
    testToolServer: (id, serverId) => answer(api.call('toolServer.test', { params: { id, serverId } })),
    signInToToolServer: (id, serverId) => answer(api.call('toolServer.signIn', { params: { id, serverId } })),
    endToolSignIn: (id, serverId, body) => answer(api.call('toolServer.endSignIn', { params: { id, serverId }, body })),
    setToolPolicy: (id, toolId, policy) => answer(api.call('toolServer.setPolicy', { params: { id, toolId }, body: { policy } })),
    acceptTool: (id, toolId, hash) => answer(api.call('toolServer.accept', { params: { id, toolId }, body: { hash } })),
    putAgentTools: (id, agentId, toolIds) => answer(api.call('toolServer.putAgentTools', { params: { id, agentId }, body: { toolIds } })),
    listConnections: (projectId) => answer(api.call('modelConnection.list', { query: { projectId } })),
    listModels: (id, query) => answer(api.call('modelConnection.models', { params: { id }, query: { query } })),
    listKnownModels: () => answer(api.call('modelConnection.known')),
    findLocalServers: () => answer(api.call('modelConnection.local')),
    previewConnectionUse: (id, use) => answer(api.call('modelConnection.use', { params: { id }, body: { ...use, isPreview: true } })),
    createConnection: (body, key) => answer(api.call('modelConnection.create', { body, ...key })),
    updateConnection: (id, body) => answer(api.call('modelConnection.update', { params: { id }, body })),
    removeConnection: (id, evenIfUsed) =>
      answer(api.call('modelConnection.remove', { params: { id }, query: { evenIfUsed: evenIfUsed ? 'true' : 'false' } })),
    readModels: (id) => answer(api.call('modelConnection.readModels', { params: { id } })),
    testConnection: (id, model) => answer(api.call('modelConnection.test', { params: { id }, body: model === null ? {} : { model } })),
    useConnection: (id, use) => answer(api.call('modelConnection.use', { params: { id }, body: use })),
    readBudgets: (query) => answer(api.call('budget.list', { query })),
    readForecast: (projectId, agentIds) => answer(api.call('budget.forecast', { body: { projectId, agentIds } })),
    putBudget: (body) => answer(api.call('budget.put', { body })),
    removeBudget: (id) => answer(api.call('budget.remove', { params: { id } })),
    readStorage: () => answer(api.call('storage.get')),
    freeStorage: (kind, olderThanDays) => answer(api.call('storage.free', { params: { kind }, query: { olderThanDays } })),
    readHealth: () => answer(api.call('health.get')),
    readProfile: () => answer(api.call('auth.profile')),
    readRunner: () => answer(api.call('runner.get')),
    connectRunner: () => answer(api.call('runner.connect')),
    disconnectRunner: () => answer(api.call('runner.disconnect')),
    readConfiguration: () => answer(api.call('auth.config')),
    listThoughts: (id, offset) => answer(api.call('thought.ofProject', { params: { id }, query: { limit: thoughtsPerPage, offset } })),
  };
}

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
async function searchResults(api: Api, projectId: string, text: string): Promise<FoundResults> {
  const query = { q: text.slice(0, maxSearchLength), limit: maxHistoryLength };
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
  const { status: state, field } = details;
  const problem = {
    code,
    params: { message, ...(typeof state === 'string' && { status: state }), ...(typeof field === 'string' && { field }) },
  };
  if (errors.length === 0) return problem;
  return { ...problem, details: errors.map(({ path, message }) => ({ code: 'api.message', params: { path, message } })) };
}
