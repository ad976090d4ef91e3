import { singleFlight } from '../../../../src/async/single-flight.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, asc, eq, lte } from '../../../platform/database/drizzle.ts';
import { questions } from '../store/tables.ts';
import type { AnswerQuestion } from './answer-question.ts';

type WatchDeps = {
  db: Db;
  answers: Pick<AnswerQuestion, 'expire'>;
  sendEmails: () => Promise<number>;
  now: () => Date;
  log: { warn: (about: object, line: string) => void };
};

/** Due questions of one round. */
const batch = 50;

/** Ends due questions and sends emails about open ones, until it is stopped. All nodes may watch at the same time. */
export function createQuestionWatch({ db, answers, sendEmails, now, log }: WatchDeps) {
  let timer: NodeJS.Timeout | null = null;

  const endDue = async (): Promise<void> => {
    const at = now();
    const due = await db
      .select({ id: questions.id, executionId: questions.executionId })
      .from(questions)
      .where(and(eq(questions.state, 'open'), lte(questions.dueAt, at)))
      .orderBy(asc(questions.dueAt))
      .limit(batch);
    for (const question of due) await answers.expire(question, at);
  };

  const look = singleFlight(async (): Promise<void> => {
    for (const [work, failed] of [
      [endDue, 'Ending due questions failed'],
      [sendEmails, 'Emails about questions could not be sent'],
    ] as const)
      await work().catch((error: unknown) => log.warn({ err: error }, failed));
  });

  return {
    start: (everyMs: number) => {
      timer = setInterval(() => void look(), everyMs);
      timer.unref();
    },
    /** Resolves when the round under way has ended. */
    stop: async () => {
      if (timer) clearInterval(timer);
      await look.settled();
    },
  };
}
