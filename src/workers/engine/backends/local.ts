import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { Answer, Backend } from './port.ts';

/** A backend without a server: the page itself keeps the canvas, and runs are not possible. */
export function createLocalBackend(document: CanvasDocument): Backend {
  let version = 0;
  const saved = async (): Promise<Answer<{ version: number }>> => {
    version += 1;
    return { ok: true, value: { version } };
  };
  return {
    openProject: unavailable,
    listProjects: unavailable,
    createProject: unavailable,
    updateProject: unavailable,
    setProjectStatus: unavailable,
    removeProject: unavailable,
    projectStatistics: unavailable,
    readCanvas: async () => ({ ok: true, value: { ...document, version } }),
    patchCanvas: saved,
    putCanvas: saved,
    listAgents: async () => ({ ok: true, value: [] }),
    createAgent: unavailable,
    configureAgent: unavailable,
    createPipeline: unavailable,
    removePipeline: unavailable,
    listExecutions: async () => ({ ok: true, value: [] }),
    listUnderWay: unavailable,
    readExecution: unavailable,
    readLogs: async () => ({ ok: true, value: [] }),
    startExecution: unavailable,
    controlExecution: unavailable,
    addContext: unavailable,
    createExecution: unavailable,
    removeExecution: unavailable,
    listWaiting: async () => ({ ok: true, value: [] }),
    listInputs: unavailable,
    readInput: unavailable,
    createInputSet: unavailable,
    readInputSet: unavailable,
    putInputFile: unavailable,
    addInputArchive: unavailable,
    addInputRepository: unavailable,
    removeInputFile: unavailable,
    readPublication: unavailable,
    readBundle: unavailable,
    putGitTarget: unavailable,
    removeGitTarget: unavailable,
    publish: unavailable,
    listQuestions: async () => ({ ok: true, value: [] }),
    readQuestion: unavailable,
    createQuestionLink: unavailable,
    answerQuestion: unavailable,
    setHolds: unavailable,
    listResults: async () => ({ ok: true, value: [] }),
    searchResults: async () => ({ ok: true, value: { items: [], total: 0 } }),
    readResult: unavailable,
    removeResult: unavailable,
    sendCommand: unavailable,
    readCommand: unavailable,
    cancelCommand: unavailable,
    newestCommand: unavailable,
    listCommands: async () => ({ ok: true, value: [] }),
    converse: unavailable,
    publishThought: unavailable,
    issueSocketTicket: unavailable,
    agentStatistics: unavailable,
    agentLoad: unavailable,
    agentAvailability: unavailable,
    readPipeline: unavailable,
    listFiles: async () => ({ ok: true, value: { files: [], refused: [] } }),
    readFile: unavailable,
    compareFile: unavailable,
    archiveFiles: unavailable,
    readPatch: unavailable,
    readPullRequest: unavailable,
    readHealth: unavailable,
    readProfile: unavailable,
    readConfiguration: unavailable,
    listThoughts: async () => ({ ok: true, value: [] }),
  };
}

async function unavailable(): Promise<Answer<never>> {
  return { ok: false, fault: { kind: 'refused', problem: { code: 'local.unavailable' }, status: 0, retryAfterMs: null } };
}
