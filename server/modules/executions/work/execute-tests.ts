import { askHosts, asksForHosts } from '../questions/ask-hosts.ts';
import type { PendingAnswer } from '../store/step-answer.ts';
import { storingPendingAnswer } from '../store/test-run-rows.ts';
import type { TestRuns } from '../test-runs/test-runs.ts';
import { storeSpend } from '../transitions/change-steps.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';

/** The answer of a tester whose tests are to be executed. */
type TestsOfStep = { claim: Claim; pending: PendingAnswer; command: string };

/** Stores the answer of a tester, has the tests executed, and stores the answer with their end. */
export async function executeTests(
  tests: TestRuns,
  { claim, pending: { answer, thoughts }, command }: TestsOfStep,
  signal: AbortSignal,
  ends: StepEnds,
): Promise<void> {
  const begun = tests.begun(command);
  const started = await ends.progress(claim, async (it, step) => {
    storeSpend(it, answer.spend);
    it.addWrite(storingPendingAnswer(step, { answer: { ...answer, spend: [] }, thoughts }));
    it.record('test.started', { step: await it.setStep(step, { testRun: begun, cost: answer.cost, usage: answer.usage }) });
  });
  if (!started) return;
  const limit = tests.timeFor(started, answer.durationMs);
  const ended = await tests.execute({ ...started, answer: answer.result, limit }, begun, signal).catch((error: unknown) => {
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
