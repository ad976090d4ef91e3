import type { TestRun } from '../../../../contract/executions/test-run.ts';
import { translate } from '../../../http/language.ts';
import { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { type StreamAbout, streamLog } from '../../../platform/bus/stream-text.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Runner, RunnerEnd } from '../../../platform/runner/runner.ts';
import { type FilesInAnswer, type FileThread, fileRepository, type ZipEntry } from '../../files/index.ts';
import { inputFiles } from '../../inputs/index.ts';
import type { ProjectService } from '../../projects/index.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import type { PendingAnswer } from '../store/step-answer.ts';
import { readTestRun } from '../store/test-run-rows.ts';
import { createTestLog } from './test-log.ts';

export type TestRunsDeps = {
  /** Null on a server without a runner. */
  runner: Runner | null;
  /** The longest time of a test command. */
  seconds: number;
  db: Db;
  bus: Bus;
  projects: Pick<ProjectService, 'testCommand'>;
  thread: Pick<FileThread, 'pack'>;
  filesInAnswer: FilesInAnswer;
  now: () => Date;
  /** A clock that never jumps (ms). */
  elapsed: () => number;
  log: { warn: (about: object, line: string) => void };
};

type StepOfRun = { row: ExecutionRow; step: StepRow };
/** A step with the answer of its tester, which may have files, and the time that its tests have. */
type AnsweredStep = StepOfRun & { answer: string; limit: TimeLimit };

/** How long a command may take (ms), and why not longer. */
export type TimeLimit = { ms: number; reason: 'timeout' | 'step_timeout' | 'execution_timeout' };

/** The files of a run that are sent to a runner (bytes). */
const maxFileBytes = 50 * 1024 * 1024;
/** The files that a log names as not sent. */
const maxMissing = 20;
/** What is streamed of a log while its command is under way (UTF-16 units). */
const maxStreamed = 1024 * 1024;
/** Commands at the same time on this node. Each has the files of its run in memory until they are sent. */
const limits = { atOnce: 4, atOncePerAccount: 1, maxWaiting: 5_000, maxPerAccount: 5_000 };

/** Whether an agent of this role writes test reports. */
export function isTester(role: string): boolean {
  return ['qa', 'tester'].includes(role.toLowerCase());
}

/** Returns what is left of the step and the run, or the operator's limit where it is shorter. `stepMs`: the time of the step before its tests. */
export function timeForTests(
  { row, step }: { row: Pick<ExecutionRow, 'timeoutSeconds' | 'activeMs'>; step: Pick<StepRow, 'timeoutSeconds'> },
  stepMs: number,
  seconds: number,
): TimeLimit {
  const ofServer: TimeLimit = { ms: seconds * 1_000, reason: 'timeout' };
  const ofStep: TimeLimit = { ms: step.timeoutSeconds * 1_000 - stepMs, reason: 'step_timeout' };
  const ofRun: TimeLimit = { ms: row.timeoutSeconds * 1_000 - row.activeMs, reason: 'execution_timeout' };
  return [ofServer, ofStep, ofRun].reduce((least, one) => (one.ms < least.ms ? one : least));
}

/** Executes the tests of projects on the operator's runner, after the steps of testers. This server executes nothing itself. */
export function createTestRuns({ runner, seconds, db, bus, projects, thread, filesInAnswer, now, elapsed, log }: TestRunsDeps) {
  const files = fileRepository(db);
  const base = inputFiles(db);
  const queue = new AdmissionQueue(limits);

  /** Returns the files as a run has them now, with those of the answer. A new version of a file keeps its mode and its encoding. */
  const filesFor = async (executionId: string, answer: string): Promise<Map<string, ZipEntry>> => {
    const [given, written, answered] = await Promise.all([
      base.contents(executionId),
      files.contents(executionId),
      filesInAnswer(executionId, answer),
    ]);
    const createdAt = now();
    const all = new Map<string, ZipEntry>(given.map((file) => [file.path, { ...file, createdAt }]));
    const put = (file: ZipEntry) => all.set(file.path, { ...file, isExecutable: all.get(file.path)?.isExecutable ?? false });
    const newest = new Map(
      [...written, ...answered.files.map(({ path, content }) => ({ path, content, createdAt }))].map((file) => [file.path, file]),
    );
    const encoded = await base.encoded(executionId, [...newest.values()]);
    for (const file of newest.values()) put({ ...file, content: encoded.get(file.path)?.after ?? file.content });
    return all;
  };

  /** Returns the head of a log: the files that the run began with and that are not sent. Empty when all are. */
  const missingIn = async ({ id, language }: ExecutionRow, sent: ReadonlyMap<string, ZipEntry>): Promise<string> => {
    const [leftOut, given] = await Promise.all([base.leftOut(id), base.list(id)]);
    const lost = given.map(({ path }) => ({ path, text: translate(language, 'test.not_kept') }));
    const missing = [...leftOut.map(({ path, reason }) => ({ path, text: translate(language, `input.${reason}`) })), ...lost].filter(
      ({ path }) => !sent.has(path),
    );
    if (missing.length === 0) return '';
    const lines = missing.slice(0, maxMissing).map(({ path, text }) => `${path}: ${text}`);
    const head = translate(language, 'test.not_sent', { count: missing.length });
    return `${[head, ...lines, ...(missing.length > maxMissing ? ['…'] : [])].join('\n')}\n\n`;
  };

  const executeNow = async (
    { row, step, answer, limit }: AnsweredStep,
    command: string,
    signal: AbortSignal,
    onLog: (text: string) => void,
  ): Promise<RunnerEnd & { ms: number }> => {
    signal.throwIfAborted();
    if (!runner) return { reason: 'no_runner', ms: 0 };
    if (limit.ms <= 0) return { reason: limit.reason, ms: 0 };
    // A base may be ten times as large: none of it is read for nothing.
    if ((await base.bytes(row.id)) > maxFileBytes) return { reason: 'files_too_large', ms: 0 };
    const sent = await filesFor(row.id, answer);
    const entries = [...sent.values()];
    const bytes = entries.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (bytes > maxFileBytes) return { reason: 'files_too_large', ms: 0 };
    const archive = await thread.pack(entries);
    const missing = await missingIn(row, sent);
    if (missing !== '') onLog(missing);
    const begun = elapsed();
    const id = `${row.id}/${step.stepId}`;
    // The operator's limit is the runner's own to keep: it says then what it has ended. The others end the connection, and so the command.
    const late = new AbortController();
    const timer = limit.reason === 'timeout' ? null : setTimeout(() => late.abort('late'), limit.ms);
    const job = { id, command, archive, seconds: Math.ceil(limit.ms / 1_000) };
    const end = await runner.execute(job, { signal: AbortSignal.any([signal, late.signal]), onLog }).catch((error: unknown): RunnerEnd => {
      signal.throwIfAborted();
      if (late.signal.aborted) return { reason: limit.reason };
      throw error;
    });
    if (timer) clearTimeout(timer);
    const isTimeout = 'reason' in end && end.reason === 'timeout';
    return { ...(isTimeout ? { reason: limit.reason } : end), ms: Math.round(elapsed() - begun) };
  };

  return {
    /** Returns the stored answer of a step whose tests were under way when an earlier attempt ended. */
    async pending({ row, step }: StepOfRun): Promise<PendingAnswer | null> {
      if (step.testRun?.state !== 'running') return null;
      return (await readTestRun(db, { executionId: row.id, stepId: step.stepId }))?.answer ?? null;
    },

    /** Returns the command that is to be executed after a step, or null. */
    async commandFor({ row, step }: StepOfRun): Promise<string | null> {
      if (!runner || !isTester(step.role) || !(row.hasFiles || row.inputSetId !== null)) return null;
      return projects.testCommand(row.projectId);
    },

    /** Returns the time that the tests of a step have, as `timeForTests`. */
    timeFor: (of: StepOfRun, stepMs: number): TimeLimit => timeForTests(of, stepMs, seconds),

    begun: (command: string): TestRun => ({
      ...{ command, state: 'running', exitCode: null, reason: null, ms: null, hasLog: false, startedAt: now().toISOString() },
    }),

    /**
     * Executes the command of a step and streams its log to the user. A fault of the runner is a reason, never an error of the step. Rejects when
     * the signal aborts. A command may be executed again after a crash: each has a new folder.
     */
    async execute(of: AnsweredStep, run: TestRun, signal: AbortSignal): Promise<{ run: TestRun; log: string }> {
      const { row, step } = of;
      const about: StreamAbout = { projectId: row.projectId, executionId: row.id, stepId: step.stepId };
      const kept = createTestLog((characters) => translate(row.language, 'test.left_out', { characters }));
      const stream = streamLog(bus, row.userId, about);
      let streamed = 0;
      const onLog = (text: string) => {
        kept.add(text);
        stream.add(text.slice(0, Math.max(0, maxStreamed - streamed)));
        streamed += text.length;
      };
      try {
        const end = await raceAbort(
          queue.run(row.userId, () => executeNow(of, run.command, signal, onLog)),
          signal,
        );
        const text = kept.text();
        const ended: TestRun =
          'exitCode' in end
            ? { ...run, state: 'ended', exitCode: end.exitCode, ms: end.ms, hasLog: text !== '' }
            : { ...run, state: 'failed', reason: end.reason, ms: end.ms, hasLog: text !== '' };
        if (ended.reason)
          log.warn({ executionId: row.id, reason: ended.reason }, 'The runner did not execute the tests of a run to their end.');
        return { run: ended, log: text };
      } finally {
        stream.stop();
      }
    },
  };
}

export type TestRuns = ReturnType<typeof createTestRuns>;

/** Does not wait for work that waits for its turn once the signal aborts. */
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
