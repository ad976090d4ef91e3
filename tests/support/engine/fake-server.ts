import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument, CanvasPatch } from '../../../contract/canvas.ts';
import type { CanvasMark } from '../../../contract/canvas-version.ts';
import type { ChatCompletion, Command, CommandState } from '../../../contract/command.ts';
import type { Execution, ExecutionStart, StepRun } from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Pipeline, PipelineCreation } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import type { ResultItem } from '../../../contract/executions/result.ts';
import { stepSettings } from '../../../contract/executions/run-graph.ts';
import type { Project } from '../../../contract/project.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';
import { searchHistory } from '../../../src/model/console/search-history.ts';
import { documentDifferences } from '../../../src/model/document/document-differences.ts';
import { maxHistoryLength } from '../../../src/model/reader.ts';
import { isUnderWay } from '../../../src/model/workspace-state.ts';
import type { AgentRequest, Answer, Backend, BackendError, Chat, RunContext } from '../../../src/workers/engine/backends/port.ts';
import { projectId, team, userId, uuid } from './samples.ts';

type Run = { execution: Execution; steps: StepRun[]; events: ExecutionEvent[]; start: ExecutionStart; contexts: RunContext[] };

/** A server in memory: a canvas with versions, idempotent writes, and runs that a test advances step by step. */
export class FakeServer {
  canvas: CanvasDocument & { version: number };
  projects: Project[] = [{ ...sampleProject }];
  agents: Agent[] = team;
  results: ResultItem[] = [];
  readonly pipelines = new Map<string, Pipeline>();
  readonly runs: Run[] = [];
  /** Commands in the order of their creation, and the agent requests. */
  readonly commands: CommandState[] = [];
  readonly requests: AgentRequest[] = [];
  /** Commands of earlier visits, newest first. */
  history: Command[] = [];
  readonly chats: Chat[] = [];
  readonly thoughts: { agentId: string; content: string; projectId: string }[] = [];
  /** Conversations take longer than the server waits. */
  slowToTalk = false;
  /** The names of all calls, in order. */
  readonly calls: string[] = [];
  readonly saves: { baseVersion: number; patches: CanvasPatch[]; key: string; writer: string }[] = [];
  /** Faults that calls end in, by name or `*`. */
  readonly faults = new Map<string, BackendError>();
  /** The number of issued socket tickets. */
  tickets = 0;
  /** Calls that are done but whose answers are lost. */
  questions: Question[] = [];
  readonly lostAnswers = new Set<string>();
  /** Calls that take effect immediately, and whose answers wait for their release. */
  readonly #held = new Map<string, Promise<void>>();
  readonly listeners = new Set<(message: ServerMessage) => void>();
  /** The canvas at each version. */
  readonly versions = new Map<number, CanvasDocument>();
  readonly marks = new Map<number, CanvasMark>();
  readonly #answers = new Map<string, unknown>();
  /** The request of each conversation, by the id of its command. */
  readonly #chats = new Map<string, Chat>();
  #made = 100;

  constructor(document: CanvasDocument, version = 1) {
    this.canvas = { ...structuredClone(document), version };
    this.versions.set(version, structuredClone(document));
  }

  /** The backend of one tab. */
  backend(clientId: () => string): Backend {
    const once = <T>(name: string, key: string, work: () => Answer<T>): Answer<T> => {
      const known = this.#answers.get(`${name} ${key}`);
      if (known) return known as Answer<T>;
      const answer = work();
      if (answer.ok) this.#answers.set(`${name} ${key}`, answer);
      return answer;
    };
    const calls: Backend = {
      openProject: async (id) => {
        const project = this.projects.find((one) => one.id === id || id === 'default');
        return project ? ok(structuredClone(project)) : missing;
      },
      listProjects: async () => ok(structuredClone(this.projects)),
      createProject: async (words, { idempotencyKey }) =>
        once('project', idempotencyKey, () => {
          const made = { ...sampleProject, ...words, id: uuid(this.#next(), 8) };
          this.projects.push(made);
          return ok(structuredClone(made));
        }),
      updateProject: async (id, words) => this.#changeProject(id, words),
      setProjectStatus: async (id, status) => this.#changeProject(id, { status }),
      removeProject: async (id) => {
        const left = this.projects.filter((project) => project.id !== id);
        if (left.length === this.projects.length) return missing;
        this.projects = left;
        return ok(undefined);
      },
      listUnderWay: async () => ok(this.runs.map(({ execution }) => execution).filter((one) => !one.held && isUnderWay(one))),
      readCanvas: async () => ok(structuredClone(this.canvas)),
      patchCanvas: async (_, { baseVersion, patches }, { idempotencyKey }) =>
        once('patch', idempotencyKey, () => {
          if (baseVersion !== this.canvas.version) return staleAnswer;
          this.saves.push({ baseVersion, patches: structuredClone(patches), key: idempotencyKey, writer: clientId() });
          for (const patch of patches) {
            if (patch.op === 'remove') delete this.canvas[patch.collection][patch.id];
            else (this.canvas[patch.collection] as Record<string, unknown>)[patch.id] = structuredClone(patch.value);
          }
          return this.#saved(clientId());
        }),
      putCanvas: async (_, { nodes, connections, baseVersion }, { idempotencyKey }) =>
        once('put', idempotencyKey, () => {
          if (baseVersion !== this.canvas.version) return staleAnswer;
          this.canvas = { ...structuredClone({ nodes, connections }), version: baseVersion };
          return this.#saved(clientId());
        }),
      listVersions: async () =>
        ok({ items: [], next: null, current: this.canvas.version, bytes: 0, maxBytes: 1, keepDays: 30, trimmed: null }),
      readVersion: async (_, version) => {
        const found = this.versions.get(version);
        return found ? ok({ ...structuredClone(found), version }) : missing;
      },
      compareVersions: async (_, left, right) => {
        const [before, after] = [this.versions.get(left), this.versions.get(right)];
        if (!before || !after) return missing;
        const differing = documentDifferences(before, after);
        const of = (collection: 'nodes' | 'connections') =>
          differing.flatMap(({ collection: other, id }) =>
            other === collection ? [{ id, left: before[collection][id], right: after[collection][id] }] : [],
          ) as never[];
        return ok(structuredClone({ left, right, nodes: of('nodes'), connections: of('connections') }));
      },
      putMark: async (_, version, { name, note }) => {
        const mark: CanvasMark = { version, kind: 'hand', name, note, at: new Date(0).toISOString() };
        this.marks.set(version, mark);
        return ok(mark);
      },
      removeMark: async (_, version) => (this.marks.delete(version) ? ok(undefined) : missing),
      listAgents: async () => ok(this.agents),
      createAgent: async ({ configuration, ...words }, { idempotencyKey }) =>
        once('agent', idempotencyKey, () => {
          const made: Agent = {
            ...(team[0] as Agent),
            ...words,
            id: uuid(this.#next(), 9),
            configuration: { systemPrompt: '', plan: '', ...configuration },
          };
          this.agents = [...this.agents, made];
          return ok(made);
        }),
      configureAgent: async (agent, { systemPrompt = agent.configuration.systemPrompt, apiKey: _, ...settings }) =>
        ok({
          ...agent,
          configuration: { ...agent.configuration, systemPrompt },
          apiConfiguration: { ...agent.apiConfiguration, ...settings },
        }),
      createPipeline: async (creation, { idempotencyKey }) => once('pipeline', idempotencyKey, () => ok(this.#createPipeline(creation))),
      removePipeline: async (id) => {
        this.pipelines.delete(id);
        return ok(undefined);
      },
      listExecutions: async (of) =>
        ok(
          this.runs
            .map((run) => run.execution)
            .filter((one) => one.projectId === of)
            .toReversed(),
        ),
      readExecution: async (id) => {
        const run = this.runs.find(({ execution }) => execution.id === id);
        return run ? ok(structuredClone({ ...run.execution, steps: run.steps })) : missing;
      },
      readLogs: async (id, since, limit) => {
        const run = this.runs.find(({ execution }) => execution.id === id);
        return run ? ok(structuredClone(run.events.filter(({ seq }) => seq > since).slice(0, limit))) : missing;
      },
      createExecution: async (creation, { idempotencyKey }) =>
        once('create', idempotencyKey, () => ok(structuredClone(this.#make(creation, true).execution))),
      removeExecution: async (id) => {
        const at = this.runs.findIndex(({ execution }) => execution.id === id);
        if (at < 0) return missing;
        if (!this.runs[at]?.execution.held) return illegalState;
        this.runs.splice(at, 1);
        return ok(undefined);
      },
      listWaiting: async (of) =>
        ok(structuredClone(this.runs.flatMap(({ execution: one }) => (one.held && one.projectId === of ? [one] : [])).toReversed())),
      startExecution: async (start, { idempotencyKey }) =>
        once('start', idempotencyKey, () => {
          const run = start.executionId ? this.runs.find(({ execution }) => execution.id === start.executionId) : this.#make(start, false);
          if (!run) return missing;
          if (start.executionId && !run.execution.held) return illegalState;
          run.execution.held = false;
          const answer = structuredClone(run.execution);
          this.emit(run, 'execution.started', { status: 'running' });
          return ok({ ...answer, ...structuredClone(run.execution) });
        }),
      controlExecution: async (id, action) => {
        const run = this.runs.find(({ execution }) => execution.id === id);
        if (!run) return missing;
        if (action === 'pause') this.emit(run, 'execution.pausing', { pauseRequested: true });
        if (action === 'resume' || action === 'nextStep') this.emit(run, 'execution.resumed', { status: 'running', pauseRequested: false });
        if (action === 'stop') this.emit(run, 'execution.cancelled', { status: 'cancelled' });
        return ok(structuredClone(run.execution));
      },
      addContext: async (id, context, { idempotencyKey }) =>
        once('context', idempotencyKey, () => {
          const run = this.runs.find(({ execution }) => execution.id === id);
          if (!run) return missing;
          if (!run.steps.some(({ status }) => status === 'pending')) return noLaterStep;
          run.contexts.push(context);
          this.emit(run, 'context.added', {}, { text: context.content });
          return ok(structuredClone(run.execution));
        }),
      fork: async () => missing,
      previewFork: async () => missing,
      compareRuns: async () => missing,
      readStep: async () => missing,
      readTestLog: async () => missing,
      listToolServers: async () => missing,
      listCalls: async () => missing,
      listTools: async () => missing,
      readAgentTools: async () => missing,
      createToolServer: async () => missing,
      updateToolServer: async () => missing,
      removeToolServer: async () => missing,
      testToolServer: async () => missing,
      setToolPolicy: async () => missing,
      acceptTool: async () => missing,
      putAgentTools: async () => missing,
      listInputs: async () => missing,
      readInput: async () => missing,
      createInputSet: async () => missing,
      readInputSet: async () => missing,
      putInputFile: async () => missing,
      addInputArchive: async () => missing,
      addInputRepository: async () => missing,
      removeInputFile: async () => missing,
      readPublication: async () => missing,
      readBundle: async () => missing,
      putGitTarget: async () => missing,
      removeGitTarget: async () => missing,
      publish: async () => missing,
      readBudgets: async () => missing,
      readForecast: async () => missing,
      putBudget: async () => missing,
      removeBudget: async () => missing,

      listQuestions: async () => ok(structuredClone(this.questions.filter(({ state }) => state === 'open'))),
      readQuestion: async (id) => {
        const question = this.questions.find((one) => one.id === id);
        return question ? ok({ ...question, draft: null, before: [] }) : missing;
      },
      createQuestionLink: async (id) => {
        const question = this.questions.find((one) => one.id === id);
        return question ? ok({ token: `of-${id}`, path: `/q/of-${id}`, expiresAt: question.dueAt }) : missing;
      },
      answerQuestion: async (id, answer, { idempotencyKey }) =>
        once('answer', idempotencyKey, () => {
          const question = this.questions.find((one) => one.id === id);
          if (!question) return missing;
          if (question.state !== 'open')
            return { ok: false, fault: { kind: 'refused', problem: { code: 'question_answered' }, status: 409, retryAfterMs: null } };
          const { values: _values, ...given } = answer;
          Object.assign(question, { state: 'answered', answer: given, answeredBy: 'Ann' });
          return ok(structuredClone(question));
        }),
      setHolds: async (id, holds) => {
        const run = this.runs.find(({ execution }) => execution.id === id);
        if (!run) return missing;
        run.execution.holds = holds;
        this.emit(run, 'holds.changed', {}, { holds });
        return ok(structuredClone(run.execution));
      },
      listResults: async () => ok(this.results.slice(0, maxHistoryLength)),
      searchResults: async (_, text) => {
        const found = searchHistory(this.results, text);
        return ok({ items: found.slice(0, maxHistoryLength), total: found.length });
      },
      readResult: async (id) => {
        const item = this.results.find((one) => one.id === id);
        return item ? ok(item) : missing;
      },
      removeResult: async (id) => {
        this.results = this.results.filter((item) => item.id !== id);
        return ok(undefined);
      },
      sendCommand: async (request, { idempotencyKey }) =>
        once('command', idempotencyKey, () => {
          this.requests.push(request);
          return ok(this.#command(request.agentId, 'execute'));
        }),
      readCommand: async (id) => this.#found(id),
      cancelCommand: async (id) => {
        if (this.#found(id).ok) this.endCommand({ status: 'cancelled' }, id);
        return this.#found(id);
      },
      newestCommand: async (agentId) => ok(this.commands.findLast((command) => command.agentId === agentId) ?? null),
      listCommands: async (agentId, limit) =>
        ok([...this.#conversations(), ...this.history].filter((command) => command.agentId === agentId).slice(0, limit)),
      converse: async (agentId, chat, { idempotencyKey }) =>
        once<ChatCompletion | CommandState>('chat', idempotencyKey, () => {
          this.chats.push(chat);
          const command = this.#command(agentId, 'openai');
          this.#chats.set(command.id, chat);
          return ok(this.slowToTalk ? command : completionOf(command, chat));
        }),
      publishThought: async (thought) => {
        this.thoughts.push(thought);
        return ok({ ...thought, id: uuid(this.#next(), 6), executionId: null, stepId: null, createdAt: now, updatedAt: now });
      },
      listFiles: async () => ok({ files: [], refused: [] }),
      readFile: async () => missing,
      compareFile: async () => missing,
      archiveFiles: async () => missing,
      readPatch: async () => missing,
      readPullRequest: async () => missing,
      readHealth: async () => missing,
      readProfile: async () => missing,
      readConfiguration: async () => missing,
      listThoughts: async () => ok([]),
      issueSocketTicket: async () => ok({ ticket: `ticket-${++this.tickets}`, expiresInSeconds: 30 }),
      agentStatistics: async () =>
        ok({ totalCommands: 5, successfulCommands: 4, failedCommands: 1, averageExecutionTime: 1_250, lastActivity: now }),
      agentAvailability: async () => ok({ isAvailable: true, status: 1, lastSeen: now }),
      agentLoad: async () => ok({ currentLoad: 1, maxLoad: 20, loadPercentage: 5 }),
      readPipeline: async (id) => {
        const pipeline = this.pipelines.get(id);
        return pipeline ? ok(pipeline) : missing;
      },
      projectStatistics: async () =>
        ok({
          ...{ totalAgents: 3, activeAgents: 2, totalPipelines: 1, activePipelines: 0 },
          ...{ totalExecutions: 4, successfulExecutions: 3, failedExecutions: 1, averageExecutionTime: null, lastActivity: now },
        }),
    };
    const guarded = Object.entries(calls).map(([name, call]) => [
      name,
      async (...sent: unknown[]) => {
        this.calls.push(name);
        const fault = this.faults.get(name) ?? this.faults.get('*');
        if (fault) return { ok: false, fault };
        const answer = await (call as (...sent: unknown[]) => Promise<unknown>)(...sent);
        await this.#held.get(name);
        return this.lostAnswers.has(name) ? { ok: false, fault: unreachable } : answer;
      },
    ]);
    return Object.fromEntries(guarded) as Backend;
  }

  /** Holds the answers of a call until the returned function is called. */
  hold(name: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(name, promise);
    return () => {
      this.#held.delete(name);
      resolve();
    };
  }

  #changeProject(id: string, change: Partial<Project>): Answer<Project> {
    const project = this.projects.find((one) => one.id === id);
    return project ? ok(structuredClone(Object.assign(project, change))) : missing;
  }

  /** Another tab removes a project, and all tabs get the event. */
  removeElsewhere(id: string): void {
    this.projects = this.projects.filter((project) => project.id !== id);
    this.tell({ type: 'project_changed', projectId: id, change: 'removed', origin: 'another tab' });
  }

  /** Another tab renames a project, and all tabs get the event. */
  renameElsewhere(id: string, name: string): void {
    this.#changeProject(id, { name });
    this.tell({ type: 'project_changed', projectId: id, change: 'updated', origin: 'another tab' });
  }

  /** Another tab changes how many agents work at the same time. */
  branchElsewhere(id: string, parallelSteps: number): void {
    this.#changeProject(id, { parallelSteps });
    this.tell({ type: 'project_changed', projectId: id, change: 'updated', origin: 'another tab' });
  }

  /** Another tab changes the canvas. */
  saveElsewhere(change: (canvas: CanvasDocument) => void): void {
    change(this.canvas);
    this.canvas.version += 1;
    this.#keepVersion();
    this.tell({ type: 'canvas_updated', projectId, version: this.canvas.version, origin: 'another tab' });
  }

  /** Ends a command, by default the newest, and sends the event. */
  endCommand(changes: Partial<CommandState>, id = this.commands.at(-1)?.id): void {
    const command = this.commands.find((known) => known.id === id) as CommandState;
    Object.assign(command, changes);
    const { agentId, status, result } = command;
    this.tell({
      type: 'agent_command_result',
      ...{ agentId, status, result: result ?? '', projectId, executionId: null, commandId: command.id },
    });
  }

  #found(id: string): Answer<CommandState> {
    const command = this.commands.find((known) => known.id === id);
    return command ? ok(structuredClone(command)) : missing;
  }

  /** Running conversations, newest first, as the agent's history shows them. */
  #conversations(): Command[] {
    return this.commands.toReversed().flatMap((state) => {
      const chat = this.#chats.get(state.id);
      if (!chat || state.status !== 'running') return [];
      const { messages, projectId: _, ...parameters } = chat;
      const { response: __, ...command } = state;
      const request = messages.at(-1)?.content ?? '';
      return [structuredClone({ ...command, request, parameters, timestamp: now, initialTask: null, task: null, data: null })];
    });
  }

  #command(agentId: string, kind: CommandState['kind']): CommandState {
    const id = uuid(this.#next(), 5);
    const command: CommandState = {
      ...{ id, commandId: id, agentId, projectId, executionId: null, stepId: null, kind, status: 'running' },
      ...{ result: null, response: null, error: null, progress: 0, executionTimeMs: null, provider: null, model: null },
      ...{ simulated: false, usage: null, attempts: 1, startedAt: now, completedAt: null, createdAt: now, updatedAt: now },
    };
    this.commands.push(command);
    return structuredClone(command);
  }

  /** Starts the run's next step. */
  beginStep(run = this.runs.at(-1) as Run): StepRun {
    const step = run.steps.find(({ status }) => status === 'pending') as StepRun;
    Object.assign(step, { status: 'running', startedAt: now, attempts: 1 });
    this.emit(run, 'step.started', { status: 'running' }, { step });
    return step;
  }

  finishStep(result: string, run = this.runs.at(-1) as Run): void {
    const step = run.steps.find(({ status }) => status === 'running') as StepRun;
    Object.assign(step, { status: 'completed', completedAt: now, durationMs: 5, result, provider: 'simulated', simulated: true });
    this.emit(run, 'step.completed', { progress: (100 * (step.orderIndex + 1)) / run.steps.length }, { step });
  }

  finish(run = this.runs.at(-1) as Run): void {
    const result = run.steps.at(-1)?.result ?? '';
    this.emit(run, 'execution.completed', { status: 'completed', progress: 100, result }, { text: result });
  }

  /** Runs every step that is left, and ends the run. */
  doAll(run = this.runs.at(-1) as Run): void {
    while (run.steps.some(({ status }) => status === 'pending')) this.finishStep(`Result of ${this.beginStep(run).name}`, run);
    this.finish(run);
  }

  emit(run: Run, type: ExecutionEvent['type'], changes: Partial<Execution>, more: Partial<ExecutionEvent> = {}): void {
    const { execution } = run;
    Object.assign(execution, changes, { lastSeq: execution.lastSeq + 1 });
    const event: ExecutionEvent = {
      executionId: execution.id,
      seq: execution.lastSeq,
      at: now,
      type,
      status: execution.status,
      pauseRequested: execution.pauseRequested,
      progress: execution.progress,
      step: null,
      text: null,
      error: null,
      ...structuredClone(more),
    };
    run.events.push(event);
    this.tell({
      type: 'pipeline_update',
      status: event.status,
      projectId,
      pipelineId: execution.pipelineId,
      executionId: execution.id,
      seq: event.seq,
      event,
    });
  }

  tell(message: ServerMessage): void {
    for (const listener of this.listeners) listener(structuredClone(message));
  }

  #saved(origin: string): Answer<{ version: number }> {
    this.canvas.version += 1;
    this.#keepVersion();
    this.tell({ type: 'canvas_updated', projectId, version: this.canvas.version, origin });
    return ok({ version: this.canvas.version });
  }

  #keepVersion(): void {
    const { nodes, connections } = structuredClone(this.canvas);
    this.versions.set(this.canvas.version, { nodes, connections });
  }

  #createPipeline({ name, description = '', steps, configuration = '{}', links, groups, maxParallel }: PipelineCreation): Pipeline {
    const id = uuid(this.#next(), 2);
    const pipeline: Pipeline = {
      id,
      name,
      description,
      projectId,
      configuration,
      status: 'ready',
      maxExecutionTimeSeconds: null,
      isDemo: false,
      createdAt: now,
      updatedAt: now,
      ...(links && { links }),
      ...(groups && { groups: groups.map(({ id, onFailure = 'stop' }) => ({ id, onFailure })) }),
      ...(maxParallel !== undefined && { maxParallel }),
      steps: steps.map((step, orderIndex) => ({
        id: uuid(this.#next(), 3),
        name: step.name,
        description: step.description ?? '',
        orderIndex,
        agentId: step.agentId,
        nodeId: step.nodeId ?? null,
        timeoutSeconds: step.timeoutSeconds ?? 0,
        type: step.type ?? 1,
        ...(step.settings && { settings: stepSettings.parse(step.settings) }),
        ...(step.groupId !== undefined && { groupId: step.groupId }),
      })),
    };
    this.pipelines.set(id, pipeline);
    return pipeline;
  }

  #make(start: ExecutionStart, held: boolean): Run {
    const pipeline = this.pipelines.get(start.pipelineId) as Pipeline;
    const execution: Execution = {
      id: uuid(this.#next(), 4),
      pipelineId: pipeline.id,
      projectId,
      status: 'pending',
      held,
      pauseRequested: false,
      initialTask: start.initialTask ?? '',
      dialogNodeId: start.inputData?.dialogNode?.id ?? null,
      result: null,
      error: null,
      progress: 0,
      priority: 5,
      timeoutSeconds: 3_600,
      pauseBetweenStepsMs: start.pauseBetweenStepsMs ?? 0,
      ...(start.holds && { holds: { all: false, links: {}, ...start.holds } }),
      startedAt: null,
      completedAt: null,
      failedAt: null,
      lastSeq: 0,
      createdAt: now,
      updatedAt: now,
    };
    const steps = pipeline.steps.map(
      (step): StepRun => ({
        stepId: step.id,
        orderIndex: step.orderIndex,
        name: step.name,
        agentId: step.agentId,
        nodeId: step.nodeId,
        role: 'QA',
        status: 'pending',
        attempts: 0,
        startedAt: null,
        completedAt: null,
        durationMs: null,
        provider: null,
        model: null,
        simulated: false,
        usage: null,
        result: null,
        error: null,
      }),
    );
    const run: Run = { execution, steps, events: [], start, contexts: [] };
    this.runs.push(run);
    return run;
  }

  #next(): number {
    this.#made += 1;
    return this.#made;
  }
}

export const unreachable: BackendError = { kind: 'unreachable', problem: { code: 'network' }, status: 0, retryAfterMs: null };
export const unauthenticated: BackendError = {
  kind: 'unauthenticated',
  problem: { code: 'token_expired' },
  status: 401,
  retryAfterMs: null,
};

const now = '2026-11-20T12:00:00.000Z';
const sampleProject: Project = {
  ...{ id: projectId, name: 'Project', description: '', status: 'active', isDemo: false, userId },
  ...{ createdAt: now, updatedAt: now },
};

function completionOf({ id }: CommandState, { model, messages }: Chat): ChatCompletion {
  return {
    ...{ id, commandId: id, object: 'chat.completion', created: 0, model, simulated: true },
    choices: [
      { index: 0, message: { role: 'assistant', content: `Answer to ${messages.at(-1)?.content.slice(0, 20)}` }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  };
}

const staleAnswer: Answer<never> = {
  ok: false,
  fault: { kind: 'stale', problem: { code: 'canvas_stale' }, status: 409, retryAfterMs: null },
};
const illegalState: Answer<never> = {
  ok: false,
  fault: { kind: 'refused', problem: { code: 'illegal_state' }, status: 409, retryAfterMs: null },
};
const noLaterStep: Answer<never> = {
  ok: false,
  fault: { kind: 'refused', problem: { code: 'no_later_step' }, status: 409, retryAfterMs: null },
};
const missing: Answer<never> = { ok: false, fault: { kind: 'refused', problem: { code: 'not_found' }, status: 404, retryAfterMs: null } };

function ok<T>(value: T): Answer<T> {
  return { ok: true, value };
}
