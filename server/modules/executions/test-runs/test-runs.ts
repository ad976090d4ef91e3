import { inQuotes, type TestRun } from '../../../../contract/executions/test-run.ts';
import type { InstallNeeds } from '../../../../contract/runner.ts';
import { linksOutOf, testsTests } from '../../../../rules/run-graph/choose-links.ts';
import { plainLog } from '../../../../rules/text/plain-log.ts';
import { translate } from '../../../http/language.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { type StreamAbout, streamLog } from '../../../platform/bus/stream-text.ts';
import type { Db } from '../../../platform/database/database.ts';
import { FairQueue, QueueFull, type QueueSlot } from '../../../platform/fair-queue.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { CurrentRunner, RunnerEnd } from '../../../platform/runner/runner.ts';
import { FileRepository, type FilesInAnswer, type FileThread } from '../../files/index.ts';
import { InputFiles } from '../../inputs/index.ts';
import type { ProjectService } from '../../projects/index.ts';
import { compiledOf } from '../graph/compiled-graph.ts';
import { originOf } from '../graph/step-states.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import type { PendingAnswer, StepAnswer, StoredTestRun } from '../store/step-answer.ts';
import { endOfLog, readTestRun } from '../store/test-run-rows.ts';
import { versionOfRun } from '../store/version-of-run.ts';
import { type FilesOfJob, readFilesOfJob } from './files-of-job.ts';
import { readCounts } from './read-counts.ts';
import { readLack } from './read-lack.ts';
import { simulatedTests } from './simulated-tests.ts';
import { createTestLog } from './test-log.ts';
import { type TimeLimit, timeForCall, timeForTests } from './time-for-tests.ts';
import { whileBusy } from './while-busy.ts';

type TestRunsDeps = {
  runner: CurrentRunner;
  /** The longest time of a test command. */
  seconds: number;
  db: Db;
  bus: Bus;
  projects: Pick<ProjectService, 'testCommand' | 'installPolicy'>;
  thread: Pick<FileThread, 'pack'>;
  filesInAnswer: FilesInAnswer;
  now: () => Date;
  /** A clock that never jumps (ms). */
  elapsed: () => number;
  log: { warn: (about: object, line: string) => void };
};

type StepOfRun = { row: ExecutionRow; step: StepRow };
/** A step with its answer, which may have files, and the time that its tests have. */
type TestedStep = {
  row: Pick<ExecutionRow, 'id' | 'userId' | 'projectId' | 'language' | 'installHosts'>;
  step: Pick<StepRow, 'stepId'>;
  answer: string;
  limit: TimeLimit;
  /** The version whose settings apply; null for those of the project as they are now. */
  teamVersionId: string | null;
};
/** The place of a command among those of this node. `isWaiting`: others have all places when it comes. `isTaken`: work has begun in it, which gives it back. */
export type Turn = { isWaiting: boolean; isTaken: boolean; place: Promise<QueueSlot> };
/** Executed tests, with the log that is kept of them, and what their install step has asked for in vain. */
export type ExecutedTests = { run: StoredTestRun; log: string; needs?: InstallNeeds };

/** What is to be done about the tests of a step that has answered: nothing, execute them, or store a result without an execution. */
type TestPlan = { kind: 'none' } | { kind: 'execute'; command: string } | ({ kind: 'ended' } & ExecutedTests);

/** The files of a run that are sent to a runner (bytes). */
const maxFileBytes = 50 * 1024 * 1024;
/** The files that a log names as not sent. */
const maxMissing = 20;
/** What is streamed of a log while its command is under way (UTF-16 units). */
const maxStreamed = 1024 * 1024;
/** Commands at the same time on this node. Each has the files of its run in memory until they are sent. */
const limits = { inTotal: 4, ofAccount: 1, maxWaiting: 5_000, maxCallsOfAccount: 5_000 };

/** Whether an agent of this role writes test reports. */
export function isTester(role: string): boolean {
  return ['qa', 'tester'].includes(role.toLowerCase());
}

/** Returns the line that a runner executes for a command with a filter. The filter is quoted before the command begins, so nothing in either can open it. */
export function withFilter(command: string, filter: string): string {
  return `set -- ${inQuotes(filter)}; ${command} "$1"`;
}

/** Tests that have begun. */
export function begunTests(command: string, startedAt: string): TestRun {
  return { command, state: 'running', exitCode: null, reason: null, ms: null, hasLog: false, startedAt };
}

/** Whether a simulated tester sends the work back: in the first round of a loop that its tests repeat. */
function isFirstRound({ graph }: ExecutionRow, step: StepRow): boolean {
  if (graph === null || step.round !== 0) return false;
  return linksOutOf(compiledOf(graph), originOf(step)).some(({ test, maxRounds }) => test?.is === 'testsFail' && maxRounds !== undefined);
}

/** Executes the tests of projects on the operator's runner, after steps and for calls of agents. This server executes nothing itself. */
export class TestRuns {
  readonly #deps: TestRunsDeps;
  readonly #base;
  readonly #queue = new FairQueue(limits);

  constructor(deps: TestRunsDeps) {
    this.#deps = deps;
    this.#base = new InputFiles(deps.db);
  }

  /** Returns the stored answer of a step whose tests were under way when an earlier attempt ended. */
  async pending({ row, step }: StepOfRun): Promise<PendingAnswer | null> {
    if (step.testRun?.state !== 'running') return null;
    return (await readTestRun(this.#deps.db, { executionId: row.id, stepId: step.stepId }))?.answer ?? null;
  }

  /** Returns what is to be done about the tests of a step that has answered: of a tester, or one whose links ask for tests. */
  async planFor({ row, step }: StepOfRun, answer: Pick<StepAnswer, 'result' | 'simulated'>): Promise<TestPlan> {
    const asked = row.graph ? testsTests(compiledOf(row.graph), originOf(step)) : { any: false, needed: false };
    const mayHaveFiles = row.hasFiles || row.inputSetId !== null;
    // What the rows say is asked first: it costs no statement.
    if (!asked.any && (!isTester(step.role) || !mayHaveFiles)) return { kind: 'none' };
    const runner = await this.#deps.runner();
    if (!asked.any && !runner) return { kind: 'none' };
    const hasFiles = mayHaveFiles || (await this.#deps.filesInAnswer(row.id, answer.result)).files.length > 0;
    const command = await this.#deps.projects.testCommand(row.projectId, versionOfRun(row));
    if (runner && command !== null && hasFiles) return { kind: 'execute', command };
    if (!asked.any) return { kind: 'none' };
    const startedAt = this.#deps.now().toISOString();
    if (answer.simulated) {
      const written = await new FileRepository(this.#deps.db).latest(row.id);
      const about = {
        command,
        isRejected: isFirstRound(row, step),
        paths: written.filter(({ removed }) => !removed).map(({ path }) => path),
        startedAt,
      };
      return { kind: 'ended', ...simulatedTests(row.language, about) };
    }
    if (!asked.needed) return { kind: 'none' };
    const reason = !runner ? 'no_runner' : command === null ? 'no_command' : 'no_files';
    return { kind: 'ended', run: { ...begunTests(command ?? '', startedAt), state: 'failed', reason }, log: '' };
  }

  /** Returns the command of a project, or of a version of its team, where the server has a runner to execute it; null otherwise. */
  async commandOf(projectId: string, teamVersionId: string | null = null): Promise<string | null> {
    return (await this.#deps.runner()) ? this.#deps.projects.testCommand(projectId, teamVersionId) : null;
  }

  /** Returns the time that the tests of a step have, as `timeForTests`. */
  timeFor(of: StepOfRun, stepMs: number): TimeLimit {
    return timeForTests(of, stepMs, this.#deps.seconds);
  }

  /** The same for a call in the middle of a step, of which `leftMs` are left. */
  timeForCall(leftMs: number): TimeLimit {
    return timeForCall(leftMs, this.#deps.seconds);
  }

  begun(command: string): TestRun {
    return begunTests(command, this.#deps.now().toISOString());
  }

  /** Enters the queue of the runner. The place is to be given to `execute`, or to be released. It rejects when the signal aborts. */
  enter(userId: OwnerId, signal: AbortSignal): Turn {
    let isWaiting = false;
    const onWait = () => {
      isWaiting = true;
    };
    const place = this.#queue.admit(userId, { signal, onWait });
    place.catch(() => {});
    return { isWaiting, isTaken: false, place };
  }

  /**
   * Executes the command of a step in its turn and streams its log to the user. A fault of the runner is a reason, never an error of the step. Rejects
   * when the signal aborts. A command may be executed again after a crash: each has a new folder.
   */
  async execute(of: TestedStep, run: TestRun, signal: AbortSignal, turn = this.enter(of.row.userId, signal)): Promise<ExecutedTests> {
    const { row, step } = of;
    const about: StreamAbout = { projectId: row.projectId, executionId: row.id, stepId: step.stepId };
    const kept = createTestLog((characters) => translate(row.language, 'test.left_out', { characters }));
    const stream = streamLog(this.#deps.bus, row.userId, about);
    let streamed = 0;
    const onLog = (text: string) => {
      kept.add(text);
      stream.add(text.slice(0, Math.max(0, maxStreamed - streamed)));
      streamed += text.length;
    };
    try {
      const onBusy = () => stream.add(`${translate(row.language, 'test.waits')}\n`);
      if (turn.isWaiting) onBusy();
      const end = await this.#executeInTurn(turn, () => this.#executeNow(of, run, signal, { onLog, onBusy }), signal);
      const text = plainLog(kept.text());
      const counts = readCounts(text);
      const about = { ms: end.ms, hasLog: text !== '', logEnd: endOfLog(text), ...(counts && { counts }) };
      const lack = 'exitCode' in end ? readLack({ command: run.command, exitCode: end.exitCode, counts, log: text }) : null;
      const ended: StoredTestRun =
        lack !== null
          ? { ...run, ...about, state: 'failed', reason: 'not_started', missing: lack }
          : 'exitCode' in end
            ? { ...run, ...about, state: 'ended', exitCode: end.exitCode }
            : { ...run, ...about, state: 'failed', reason: end.reason };
      if (ended.reason)
        this.#deps.log.warn({ executionId: row.id, reason: ended.reason }, 'The runner did not execute the tests of a run to their end.');
      return { run: ended, log: text, ...('needs' in end && end.needs && { needs: end.needs }) };
    } finally {
      stream.stop();
    }
  }

  async #executeInTurn(turn: Turn, work: () => Promise<RunnerEnd & { ms: number }>, signal: AbortSignal) {
    const taken = await turn.place.catch((error: unknown) => {
      if (error instanceof QueueFull) return null;
      throw error;
    });
    if (!taken) return { reason: 'busy' as const, ms: 0 };
    turn.isTaken = true;
    // The place is held until the work has ended. Whether that is soon after the signal is no matter of the step.
    return raceAbort(work().finally(taken.release), signal);
  }

  /** Returns the head of a log: the files that the run began with, has not removed, and that are not sent. Empty when all are. */
  async #missingIn({ id, language }: Pick<ExecutionRow, 'id' | 'language'>, { sent, removed }: FilesOfJob): Promise<string> {
    const [leftOut, given] = await Promise.all([this.#base.leftOut(id), this.#base.list(id)]);
    const lost = given.map(({ path }) => ({ path, text: translate(language, 'test.not_kept') }));
    const missing = [...leftOut.map(({ path, reason }) => ({ path, text: translate(language, `input.${reason}`) })), ...lost].filter(
      ({ path }) => !sent.has(path) && !removed.has(path),
    );
    if (missing.length === 0) return '';
    const lines = missing.slice(0, maxMissing).map(({ path, text }) => `${path}: ${text}`);
    const head = translate(language, 'test.not_sent', { count: missing.length });
    return `${[head, ...lines, ...(missing.length > maxMissing ? ['…'] : [])].join('\n')}\n\n`;
  }

  async #executeNow(
    { row, step, answer, limit, teamVersionId }: TestedStep,
    { command, filter }: Pick<TestRun, 'command' | 'filter'>,
    signal: AbortSignal,
    { onLog, onBusy }: { onLog: (text: string) => void; onBusy: () => void },
  ): Promise<RunnerEnd & { ms: number }> {
    signal.throwIfAborted();
    const runner = await this.#deps.runner();
    if (!runner) return { reason: 'no_runner', ms: 0 };
    if (limit.ms <= 0) return { reason: limit.reason, ms: 0 };
    // A base may be ten times as large: none of it is read for nothing.
    if ((await this.#base.bytes(row.id)) > maxFileBytes) return { reason: 'files_too_large', ms: 0 };
    const files = await readFilesOfJob({ ...this.#deps, base: this.#base }, row.id, answer);
    const entries = [...files.sent.values()];
    const bytes = entries.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (bytes > maxFileBytes) return { reason: 'files_too_large', ms: 0 };
    const archive = await this.#deps.thread.pack(entries);
    const { files: replaced, added } = files.base;
    const base = { archive: replaced.length > 0 ? await this.#deps.thread.pack(replaced) : null, added };
    const missing = await this.#missingIn(row, files);
    if (missing !== '') onLog(missing);
    const { installHosts, language } = row;
    if (installHosts) onLog(`${translate(language, `test.hosts.${installHosts.state}`, { hosts: installHosts.hosts.join(', ') })}\n`);
    let begun = this.#deps.elapsed();
    const id = `${row.id}/${step.stepId}`;
    // The operator's limit is the runner's own to keep: it says then what it has ended. The others end the connection, and so the command.
    const late = new AbortController();
    const timer = limit.reason === 'timeout' ? null : setTimeout(() => late.abort('late'), limit.ms);
    const job = {
      id,
      command: filter === undefined ? command : withFilter(command, filter),
      archive,
      base,
      seconds: Math.ceil(limit.ms / 1_000),
      project: row.projectId,
      install: await this.#deps.projects.installPolicy(row.projectId, teamVersionId),
      hosts: installHosts?.state === 'allowed' ? installHosts.hosts : [],
    };
    const either = AbortSignal.any([signal, late.signal]);
    const attempt = () => {
      begun = this.#deps.elapsed();
      return runner.execute(job, { signal: either, onLog });
    };
    const end = await whileBusy(attempt, { signal: either, ms: limit.ms, onBusy }).catch((error: unknown): RunnerEnd => {
      signal.throwIfAborted();
      if (late.signal.aborted) return { reason: limit.reason };
      throw error;
    });
    if (timer) clearTimeout(timer);
    const isTimeout = 'reason' in end && end.reason === 'timeout';
    return { ...(isTimeout ? { reason: limit.reason } : end), ms: Math.round(this.#deps.elapsed() - begun) };
  }
}

/** Does not wait for the end of work once the signal aborts. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {});
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  aborted.catch(() => {});
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
