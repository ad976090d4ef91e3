import type { z } from 'zod';
import type { LinkedQuestion, QuestionDetails, questionQuery } from '../../../../contract/executions/question.ts';
import { backButtonsOf } from '../../../../rules/run-graph/choose-links.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, desc, eq, type SQL } from '../../../platform/database/drizzle.ts';
import { readPage } from '../../../platform/database/owned-rows.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { hashOfToken } from '../../../platform/secrets/tokens.ts';
import type { ProjectService } from '../../projects/index.ts';
import { inputsOfSteps } from '../graph/compiled-graph.ts';
import { questionKinds } from '../store/question-kinds.ts';
import { type QuestionRow, toQuestion } from '../store/question-rows.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import { questions } from '../store/tables.ts';
import { readPartialAnswer } from '../tools/partial-answer.ts';

type ReadDeps = {
  db: Db;
  repository: Pick<ExecutionRepository, 'whole' | 'places'>;
  projects: Pick<ProjectService, 'resolve' | 'get'>;
  ownerOf: (userId: OwnerId) => Promise<{ name: string } | null>;
  now: () => Date;
};

/** Reads the questions of a user's runs, and the one question of a signed link. */
export function createQuestionReads({ db, repository, projects, ownerOf, now }: ReadDeps) {
  const one = async (userId: OwnerId, id: string): Promise<QuestionRow> => {
    const [row] = await db
      .select()
      .from(questions)
      .where(and(eq(questions.id, id), eq(questions.userId, userId)));
    if (!row) throw new ApiError('not_found');
    return row;
  };

  const details = async (row: QuestionRow, known?: WholeRun): Promise<QuestionDetails> => {
    const whole = known ?? (await repository.whole(row.userId, row.executionId));
    const step = whole?.steps.find(({ stepId }) => stepId === row.stepId);
    const before = whole?.row.graph && step ? inputsOfSteps(whole.row.graph, whole.row.initialTask, whole.steps)(step).earlier : [];
    const said = row.state === 'open' && row.asked.room && step && whole ? await readPartialAnswer(db, step, whole.row.language) : null;
    const hasDraft = questionKinds[row.kind].showsDraft || row.reason === 'choice';
    const draft = hasDraft ? (row.draft ?? step?.result ?? said) : null;
    const backButtons = backButtonsOf(row.asked, whole?.row.graph?.links ?? []);
    return { ...toQuestion(row), draft, before, ...(backButtons.length > 0 && { backButtons }) };
  };

  /**
   * Returns the question that a token opens. Throws `not_found` for an unknown token. Only the holder of its token learns whether the
   * question exists. Throws `link_withdrawn` or `link_expired`, and `question_answered` for one that was answered before its link expired.
   */
  const linked = async (token: string): Promise<QuestionRow> => {
    const [row] = await db
      .select()
      .from(questions)
      .where(eq(questions.tokenHash, hashOfToken(token)));
    if (!row?.tokenExpiresAt) throw new ApiError('not_found');
    if (row.state === 'withdrawn') throw new ApiError('link_withdrawn');
    if (row.state === 'expired') throw new ApiError('link_expired');
    if (row.tokenExpiresAt <= now()) throw new ApiError(row.state === 'answered' ? 'question_answered' : 'link_expired');
    return row;
  };

  const page = async (where: SQL | undefined, place: { limit: number; offset: number }) => {
    const newest = [desc(questions.openedAt), desc(questions.id)];
    const { items, total } = await readPage(db, { table: questions, where, order: newest }, place);
    return { items: items.map(toQuestion), total };
  };

  return {
    find: one,
    linked,
    details: async (userId: OwnerId, id: string): Promise<QuestionDetails> => details(await one(userId, id)),

    /** Returns questions over all projects or of one, newest first. */
    async list(userId: OwnerId, { state, projectId: asked, limit, offset }: z.output<typeof questionQuery>) {
      const projectId = asked === undefined ? undefined : await projects.resolve(userId, asked);
      const here = and(
        eq(questions.userId, userId),
        state === undefined ? undefined : eq(questions.state, state),
        projectId === undefined ? undefined : eq(questions.projectId, projectId),
      );
      return page(here, { limit, offset });
    },

    /** Returns the questions of one run, newest first. */
    async ofExecution(userId: OwnerId, executionId: string, { limit, offset }: { limit: number; offset: number }) {
      if ((await repository.places(userId, [executionId])).length === 0) throw new ApiError('not_found');
      return page(eq(questions.executionId, executionId), { limit, offset });
    },

    /** Returns what the holder of a signed link sees: the question and who asks it, and nothing else of the run. */
    async ofLink(token: string): Promise<LinkedQuestion> {
      const row = await linked(token);
      const [whole, owner, project] = await Promise.all([
        repository.whole(row.userId, row.executionId),
        ownerOf(row.userId),
        projects.get(row.userId, row.projectId),
      ]);
      const { kind, reason, title, state, dueAt, answeredAt, task, ...shown } =
        row.state === 'open' ? await details(row, whole) : withoutRun(row);
      const { text, inputs, buttons, backButtons, draft, before, answer } = shown;
      return {
        kind,
        reason,
        title,
        text,
        inputs,
        buttons,
        state,
        draft,
        before,
        dueAt,
        answeredAt,
        answer,
        ...(backButtons && { backButtons }),
        simulated: whole?.steps.some((step) => step.simulated) ?? false,
        from: { account: owner?.name ?? '', project: project.name, task },
      };
    },
  };
}

type WholeRun = Awaited<ReturnType<ExecutionRepository['whole']>>;

/** An answered question shows nothing of the run. The holder of its link sees the answer that was given with it, and no other. */
function withoutRun(row: QuestionRow): QuestionDetails {
  const question = toQuestion(row);
  const isOwn = row.state === 'answered' && row.answeredBy === nameOfLinkHolder(row);
  const hidden = { text: '', buttons: [], draft: null, before: [] };
  return { ...question, ...hidden, ...(!isOwn && { inputs: [], answer: null }) };
}

/** Returns who is stored as the writer of an answer by a signed link: the email of the card's person; empty where the card has none. */
export function nameOfLinkHolder({ email }: Pick<QuestionRow, 'email'>): string {
  return email ?? '';
}

export type QuestionReads = ReturnType<typeof createQuestionReads>;
