import { afterEach, expect, test, vi } from 'vitest';
import { createQuestionWatch } from '../../../../server/modules/executions/questions/watch-questions.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Lets one look of the watch at these due questions end, and returns what it did. */
async function lookOnce(due: { id: string; executionId: string }[], fails: (id: string) => boolean = () => false) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const open = new Map(due.map((one) => [one.id, one]));
  const failed = new Set<string>();
  const atWork: string[] = [];
  const seen = { most: 0, sameRun: 0, ended: [] as string[], warnings: 0, emails: 0 };
  const watch = createQuestionWatch({
    // At most 200 rows, as the statement reads them.
    db: { execute: async () => ({ rows: [...open.values()].filter(({ id }) => !failed.has(id)).slice(0, 200) }) } as never,
    answers: {
      expire: async ({ id, executionId }) => {
        if (atWork.includes(executionId)) seen.sameRun += 1;
        atWork.push(executionId);
        seen.most = Math.max(seen.most, atWork.length);
        await new Promise((resolve) => setImmediate(resolve));
        atWork.splice(atWork.indexOf(executionId), 1);
        if (fails(id)) {
          failed.add(id);
          throw new Error('It cannot be ended.');
        }
        open.delete(id);
        seen.ended.push(id);
        return true;
      },
    },
    sendEmails: async () => (seen.emails += 1),
    now: () => new Date(),
    log: { warn: () => (seen.warnings += 1) },
  });
  watch.start(5_000);
  vi.advanceTimersByTime(5_000);
  await vi.waitFor(() => expect(seen.emails).toBe(1), { timeout: 10_000 });
  await watch.stop();
  return seen;
}

test('G2.05 one poll ends all due questions, some at a time, and the questions of one run one after another', async () => {
  const due = Array.from({ length: 450 }, (_, at) => ({ id: `q${at}`, executionId: `run ${Math.floor(at / 2)}` }));
  const seen = await lookOnce(due);
  expect(new Set(seen.ended).size).toBe(450);
  expect([seen.most, seen.sameRun, seen.warnings]).toEqual([3, 0, 0]);
});

test('G2.05 a question that cannot be ended delays no other', async () => {
  const due = Array.from({ length: 9 }, (_, at) => ({ id: `q${at}`, executionId: `run ${at}` }));
  const seen = await lookOnce(due, (id) => id === 'q0');
  expect(seen.ended.toSorted()).toEqual(due.slice(1).map(({ id }) => id));
  expect(seen.warnings).toBe(1);
});
