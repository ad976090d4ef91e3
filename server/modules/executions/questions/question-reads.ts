import { and, count, desc, eq, isNotNull } from 'drizzle-orm';
import type { z } from 'zod';
import type { LinkedQuestion, Question, QuestionDetails, questionQuery } from '../../../../contract/question.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { EarlierResult } from '../../../platform/llm/language-model.ts';
import type { ProjectService } from '../../projects/index.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import { questions } from '../store/tables.ts';
import { earlierResults } from '../work/graph-outcomes.ts';
import { type QuestionRow, toQuestion } from './question-rows.ts';
import { hashOfToken } from './question-tokens.ts';

type ReadDeps = {
  db: Db;
  repository: Pick<ExecutionRepository, 'whole' | 'find'>;
  projects: Pick<ProjectService, 'resolve'>;
  now: () => Date;
};

/** Reads the questions of a user's runs, and the one question of a signed link. */
export function createQuestionReads({ db, repository, projects, now }: ReadDeps) {
  const one = async (userId: string, id: string): Promise<QuestionRow> => {
    const [row] = await db
      .select()
      .from(questions)
      .where(and(eq(questions.id, id), eq(questions.userId, userId)));
    if (!row) throw new ApiError('not_found');
    return row;
  };

  const details = async (row: QuestionRow): Promise<QuestionDetails> => {
    const whole = await repository.whole(row.userId, row.executionId);
    const step = whole?.steps.find(({ stepId }) => stepId === row.stepId);
    const before: EarlierResult[] = whole?.row.graph && step ? earlierResults(whole.row.graph, step, whole.steps) : [];
    const draft = row.kind === 'hand_off' || row.reason === 'choice' ? (row.draft ?? step?.result ?? null) : null;
    return { ...toQuestion(row), draft, before };
  };

  /** Returns the question that a token opens. Throws `not_found` for an unknown or an expired one. */
  const linked = async (token: string): Promise<QuestionRow> => {
    const [row] = await db
      .select()
      .from(questions)
      .where(and(isNotNull(questions.tokenHash), eq(questions.tokenHash, hashOfToken(token))));
    if (!row?.tokenExpiresAt || row.tokenExpiresAt <= now() || row.state === 'withdrawn') throw new ApiError('not_found');
    return row;
  };

  return {
    find: one,
    linked,
    details: async (userId: string, id: string): Promise<QuestionDetails> => details(await one(userId, id)),

    /** Returns questions over all projects or of one, newest first. */
    async list(userId: string, { state, projectId: asked, limit, offset }: z.output<typeof questionQuery>) {
      const projectId = asked === undefined ? undefined : await projects.resolve(userId, asked);
      const here = and(
        eq(questions.userId, userId),
        state === undefined ? undefined : eq(questions.state, state),
        projectId === undefined ? undefined : eq(questions.projectId, projectId),
      );
      const [all] = await db.select({ total: count() }).from(questions).where(here);
      const rows = await db
        .select()
        .from(questions)
        .where(here)
        .orderBy(desc(questions.openedAt), desc(questions.id))
        .limit(limit)
        .offset(offset);
      return { items: rows.map(toQuestion), total: all?.total ?? 0 };
    },

    /** Returns the questions of one run, newest first. */
    async ofExecution(userId: string, executionId: string, { limit, offset }: { limit: number; offset: number }) {
      if (!(await repository.find(userId, executionId))) throw new ApiError('not_found');
      const here = eq(questions.executionId, executionId);
      const [all] = await db.select({ total: count() }).from(questions).where(here);
      const rows = await db
        .select()
        .from(questions)
        .where(here)
        .orderBy(desc(questions.openedAt), desc(questions.id))
        .limit(limit)
        .offset(offset);
      return { items: rows.map((row): Question => toQuestion(row)), total: all?.total ?? 0 };
    },

    /** Returns what the holder of a signed link sees: nothing else of the run. */
    async ofLink(token: string): Promise<LinkedQuestion> {
      const row = await linked(token);
      const { kind, reason, title, text, inputs, buttons, state, draft, before, dueAt, answeredAt, simulated } = await details(row);
      // An answered link shows that it is answered, and nothing of the run.
      const isOpen = state === 'open';
      return {
        ...{ kind, reason, title, text: isOpen ? text : '', inputs: isOpen ? inputs : [], buttons: isOpen ? buttons : [], state, dueAt },
        ...{ draft: isOpen ? draft : null, before: isOpen ? before : [], answeredAt, simulated },
      };
    },
  };
}

export type QuestionReads = ReturnType<typeof createQuestionReads>;
