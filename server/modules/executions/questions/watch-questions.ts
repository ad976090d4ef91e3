import PQueue from 'p-queue';
import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import { createRounds } from '../../../platform/rounds.ts';
import type { QuestionAnswers } from './question-answers.ts';

type DueQuestion = { id: string; executionId: string };

type WatchDeps = {
  /** For background work. */
  db: Db;
  answers: Pick<QuestionAnswers, 'expire'>;
  sendEmails: () => Promise<number>;
  now: () => Date;
  log: { warn: (about: object, line: string) => void };
};

/** Due questions that are read at once. */
const batch = 200;
/** Runs whose due questions end at the same time: fewer than the connections for background work, which other runs need too. */
const maxAtOnce = 3;

/** Ends due questions and sends emails about open ones, until it is stopped. All nodes may watch at the same time. */
export function createQuestionWatch({ db, answers, sendEmails, now, log }: WatchDeps) {
  /**
   * Ends all questions that are due, batch by batch. Accounts take turns, so that one with thousands does not delay the others. One that cannot be
   * ended is left for the next look.
   */
  const endDue = async (signal: AbortSignal): Promise<void> => {
    const failed: string[] = [];
    for (let due = await readDue(failed); due.length > 0 && !signal.aborted; due = await readDue(failed)) {
      const ends = new PQueue({ concurrency: maxAtOnce });
      for (const ofRun of Map.groupBy(due, ({ executionId }) => executionId).values())
        void ends.add(async () => {
          for (const question of ofRun) if (!signal.aborted && !(await end(question))) failed.push(question.id);
        });
      await ends.onIdle();
    }
  };

  /** Returns false if the question could not be ended. */
  const end = (question: DueQuestion): Promise<boolean> =>
    answers.expire(question, now()).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error, questionId: question.id }, 'Ending a due question failed');
        return false;
      },
    );

  const readDue = async (failed: readonly string[]): Promise<DueQuestion[]> => {
    const { rows } = await db.execute<DueQuestion>(sql`SELECT id, execution_id AS "executionId" FROM questions
      WHERE state = 'open' AND due_at <= ${now()} AND NOT (id = ANY(${sql.param(failed)}::uuid[]))
      ORDER BY row_number() OVER (PARTITION BY user_id ORDER BY due_at), due_at LIMIT ${batch}`);
    return rows;
  };

  const rounds = createRounds(async (signal) => {
    for (const [work, failed] of [
      [endDue, 'Ending due questions failed'],
      [sendEmails, 'Emails about questions could not be sent'],
    ] as const)
      await work(signal).catch((error: unknown) => log.warn({ err: error }, failed));
  });

  return { start: (everyMs: number) => rounds.start(everyMs, 'later'), stop: rounds.stop };
}
