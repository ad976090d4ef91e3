import type { Agent } from '../../../../contract/agent.ts';
import type { CanvasDocument, CanvasPatch } from '../../../../contract/canvas.ts';
import type { CanvasMark } from '../../../../contract/canvas-version.ts';
import type { Command, CommandState } from '../../../../contract/command.ts';
import type { Execution, ExecutionStart, StepRun } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { ForkRequest } from '../../../../contract/executions/fork.ts';
import type { Pipeline } from '../../../../contract/executions/pipeline.ts';
import type { Question } from '../../../../contract/executions/question.ts';
import type { ResultItem } from '../../../../contract/executions/result.ts';
import { operations } from '../../../../contract/operations/operations.ts';
import type { Project } from '../../../../contract/project.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { RouteName } from '../../../../contract/routes.ts';
import type { StorageUse } from '../../../../contract/storage.ts';
import type { TeamVersion } from '../../../../contract/team-version.ts';
import type { DialogMessage } from '../../../../src/model/run/plan/run-payloads.ts';
import type { Answer, Backend, BackendError, RouteMap } from '../../../../src/workers/engine/backends/port.ts';
import { backendOfMap } from '../../../../src/workers/engine/backends/refusing-backend.ts';
import { projectId, team } from '../samples.ts';
import { missing, now, type Once, ok, unreachable } from './answers.ts';
import { commandCalls } from './command-calls.ts';
import { projectCalls, sampleProject } from './project-calls.ts';
import { runCalls } from './run-calls.ts';

/** A command of the console to an agent, a conversation, and an addition to a run, as the engine sends them. */
export type AgentRequest = { agentId: string; request: string; projectId: string; timestamp: string };
export type Chat = { messages: { role: 'system' | 'user'; content: string }[]; model: string; projectId: string };
export type RunContext = { type: string; executionId?: string; content: string; dialogNodeId: string | null; context?: DialogMessage };

export type FakeRun = { execution: Execution; steps: StepRun[]; events: ExecutionEvent[]; start: ExecutionStart; contexts: RunContext[] };

/** A server in memory: a canvas with versions, idempotent writes, and runs that a test advances step by step. */
export class FakeServer {
  canvas: CanvasDocument & { version: number };
  projects: Project[] = [{ ...sampleProject }];
  agents: Agent[] = team;
  /** How many more agents fit into the account's storage. */
  agentRoom = Number.POSITIVE_INFINITY;
  /** Copies of agents that have worked. */
  readonly worked = new Set<string>();
  results: ResultItem[] = [];
  readonly pipelines = new Map<string, Pipeline>();
  /** The forks that were asked for. */
  readonly forks: { executionId: string; request: ForkRequest }[] = [];
  /** Hears of a fork while its pipeline is there. */
  onFork: (request: ForkRequest) => void = () => {};
  readonly runs: FakeRun[] = [];
  /** Commands in the order of their creation, and the agent requests. */
  readonly commands: CommandState[] = [];
  readonly requests: AgentRequest[] = [];
  /** Commands of earlier visits, newest first. */
  history: Command[] = [];
  readonly chats: Chat[] = [];
  readonly thoughts: { agentId: string; content: string; projectId: string }[] = [];
  /** Conversations take longer than the server waits. */
  slowToTalk = false;
  /** The routes of all calls, in order. */
  readonly calls: RouteName[] = [];
  readonly saves: { baseVersion: number; patches: CanvasPatch[]; key: string; writer: string }[] = [];
  /** Faults that calls end in, by route or `*`. */
  readonly faults = new Map<RouteName | '*', BackendError>();
  /** The number of issued socket tickets. */
  tickets = 0;
  questions: Question[] = [];
  storage: StorageUse = structuredClone(operations['storage.get'].example.response);
  /** Calls that are done but whose answers are lost. */
  readonly lostAnswers = new Set<RouteName>();
  /** Answers of one test, in place of the usual ones. */
  answers: Partial<RouteMap> = {};
  /** Calls that take effect immediately, and whose answers wait for their release. */
  readonly #held = new Map<RouteName, Promise<void>>();
  readonly listeners = new Set<(message: ServerMessage) => void>();
  /** The canvas at each version. */
  readonly versions = new Map<number, CanvasDocument>();
  /** Versions of the team, by id. */
  readonly teams = new Map<string, TeamVersion>();
  /** The numbers of versions whose agents and settings were restored. */
  readonly restoredTeams: number[] = [];
  readonly marks = new Map<number, CanvasMark>();
  readonly #answers = new Map<string, unknown>();
  /** The request of each conversation, by the id of its command. */
  readonly chatsOfCommands = new Map<string, Chat>();
  #made = 100;

  constructor(document: CanvasDocument, version = 1) {
    this.canvas = { ...structuredClone(document), version };
    this.versions.set(version, structuredClone(document));
  }

  /** The backend of one tab. */
  backend(clientId: () => string): Backend {
    const once: Once = (name, key, work) => {
      const known = this.#answers.get(`${name} ${key}`);
      if (known) return known as ReturnType<typeof work>;
      const answer = work();
      if (answer.ok) this.#answers.set(`${name} ${key}`, answer);
      return answer;
    };
    const server = backendOfMap(
      {
        ...projectCalls(this, once, clientId),
        ...runCalls(this, once),
        ...commandCalls(this, once),
        'storage.get': () => ok(structuredClone(this.storage)),
        'auth.socketTicket': () => ok({ ticket: `ticket-${++this.tickets}`, expiresInSeconds: 30 }),
        ...this.answers,
      },
      missing,
    );
    return {
      call: async (route, ...sent) => {
        this.calls.push(route);
        const fault = this.faults.get(route) ?? this.faults.get('*');
        if (fault) return { ok: false, fault };
        const answer = await server.call(route, ...sent);
        await this.#held.get(route);
        return this.lostAnswers.has(route) ? { ok: false, fault: unreachable } : answer;
      },
    };
  }

  /** Holds the answers of a call until the returned function is called. */
  hold(name: RouteName): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(name, promise);
    return () => {
      this.#held.delete(name);
      resolve();
    };
  }

  changeProject(id: string, change: Partial<Project>): Answer<Project> {
    const project = this.projects.find((one) => one.id === id);
    if (change.parallelSteps !== undefined) delete project?.branchesTogether;
    return project ? ok(structuredClone(Object.assign(project, change))) : missing;
  }

  /** Another tab removes a project, and all tabs get the event. */
  removeElsewhere(id: string): void {
    this.projects = this.projects.filter((project) => project.id !== id);
    this.tell({ type: 'project_changed', projectId: id, change: 'removed', origin: 'another tab' });
  }

  /** Another tab renames a project, and all tabs get the event. */
  renameElsewhere(id: string, name: string): void {
    this.changeProject(id, { name });
    this.tell({ type: 'project_changed', projectId: id, change: 'updated', origin: 'another tab' });
  }

  /** Another tab changes how many agents work at the same time. */
  branchElsewhere(id: string, parallelSteps: number): void {
    this.changeProject(id, { parallelSteps });
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

  /** Starts the run's next step. */
  beginStep(run = this.runs.at(-1) as FakeRun): StepRun {
    const step = run.steps.find(({ status }) => status === 'pending') as StepRun;
    Object.assign(step, { status: 'running', startedAt: now, attempts: 1 });
    this.emit(run, 'step.started', { status: 'running' }, { step });
    return step;
  }

  finishStep(result: string, run = this.runs.at(-1) as FakeRun): void {
    const step = run.steps.find(({ status }) => status === 'running') as StepRun;
    Object.assign(step, { status: 'completed', completedAt: now, durationMs: 5, result, provider: 'simulated', simulated: true });
    this.emit(run, 'step.completed', { progress: (100 * (step.orderIndex + 1)) / run.steps.length }, { step });
  }

  finish(run = this.runs.at(-1) as FakeRun): void {
    const result = run.steps.at(-1)?.result ?? '';
    this.emit(run, 'execution.completed', { status: 'completed', progress: 100, result }, { text: result });
  }

  /** Runs every step that is left, and ends the run. */
  doAll(run = this.runs.at(-1) as FakeRun): void {
    while (run.steps.some(({ status }) => status === 'pending')) this.finishStep(`Result of ${this.beginStep(run).name}`, run);
    this.finish(run);
  }

  emit(run: FakeRun, type: ExecutionEvent['type'], changes: Partial<Execution>, more: Partial<ExecutionEvent> = {}): void {
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

  storeCanvas(origin: string): Answer<{ version: number }> {
    this.canvas.version += 1;
    this.#keepVersion();
    this.tell({ type: 'canvas_updated', projectId, version: this.canvas.version, origin });
    return ok({ version: this.canvas.version });
  }

  #keepVersion(): void {
    const { nodes, connections } = structuredClone(this.canvas);
    this.versions.set(this.canvas.version, { nodes, connections });
  }

  nextNumber(): number {
    this.#made += 1;
    return this.#made;
  }
}
