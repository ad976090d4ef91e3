import { askHosts, asksForHosts } from '../questions/ask-hosts.ts';
import type { PendingAnswer } from '../store/step-answer.ts';
import { storingPendingAnswer } from '../store/test-run-rows.ts';
import { versionOfRun } from '../store/version-of-run.ts';
import type { TestRuns, Turn } from '../test-runs/test-runs.ts';
import { storeSpend } from '../transitions/change-steps.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';

/** The answer of a tester whose tests are to be executed. */
type TestsOfStep = { claim: Claim; pending: PendingAnswer; command: string };

/** Stores the answer of a tester, has the tests executed in their turn, and stores the answer with their end. */
export async function executeTests(tests: TestRuns, of: TestsOfStep, signal: AbortSignal, ends: StepEnds): Promise<void> {
  const turn = tests.enter(of.claim.row.userId, signal);
  try {
    await executeInTurn(tests, of, signal, ends, turn);
  } finally {
    if (!turn.isTaken)
      void turn.place.then(
        (place) => place.release(),
        () => {},
      );
  }
}

async function executeInTurn(tests: TestRuns, { claim, pending, command }: TestsOfStep, signal: AbortSignal, ends: StepEnds, turn: Turn) {
  const { answer, thoughts } = pending;
  const entered = await ends.progress(claim, async (it, step) => {
    storeSpend(it, answer.spend);
    it.addWrite(storingPendingAnswer(step, { answer: { ...answer, spend: [] }, thoughts }));
    const testRun = { ...tests.begun(command), ...(turn.isWaiting && { waits: true as const }) };
    const type = turn.isWaiting ? 'test.waiting' : 'test.started';
    it.record(type, { step: await it.setStep(step, { testRun, cost: answer.cost, usage: answer.usage }) });
  });
  if (!entered) return;
  const started = turn.isWaiting ? await beginInTurn(tests, { claim: entered, command }, signal, ends, turn) : entered;
  if (!started) return;
  const limit = tests.timeFor(started, answer.durationMs);
  const begun = tests.begun(command);
  const step = { ...started, answer: answer.result, limit, teamVersionId: versionOfRun(started.row) };
  const ended = await tests.execute(step, begun, signal, turn).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (!ended) return;
  const { needs } = ended;
  // The answer stays stored: once the question is answered, its tests are executed again, and no model is asked.
  if (needs && asksForHosts(started.row)) return ends.suspended(started, (it, step) => askHosts(it, step, needs));
  const whole = { ...answer, spend: [], durationMs: answer.durationMs + (ended.run.ms ?? 0), testRun: ended.run };
  await ends.completed(started, whole, { thoughts, testLog: ended.log });
}

/** Waits for the turn, and records that the command begins. Returns null where the step has ended before. */
async function beginInTurn(
  tests: TestRuns,
  { claim, command }: Omit<TestsOfStep, 'pending'>,
  signal: AbortSignal,
  ends: StepEnds,
  { place }: Turn,
): Promise<Claim | null> {
  const isOver = await place.then(
    () => false,
    () => signal.aborted,
  );
  if (isOver) return null;
  return ends.progress(claim, async (it, step) =>
    it.record('test.started', { step: await it.setStep(step, { testRun: tests.begun(command) }) }),
  );
}
