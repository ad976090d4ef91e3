import { type Question, question } from '../../../../contract/executions/question.ts';
import { insertion, type SqlFragment } from '../../../platform/database/statement.ts';
import { viewOf } from '../../../platform/database/view-of.ts';
import { questions } from './tables.ts';

export type QuestionRow = typeof questions.$inferSelect;

const showQuestion = viewOf(question);

/** Converts a row to the API's question. */
export function toQuestion(row: QuestionRow): Question {
  return showQuestion(row, row.asked);
}

/** Stores a question with the change that opens it. */
export function openingQuestion(row: QuestionRow): SqlFragment {
  return (changed, place) => insertion(questions, row, { source: changed, place });
}

/** Withdraws the open questions of an execution: all, or those of some steps. */
export function withdrawingQuestions(stepIds: readonly string[] | null): SqlFragment {
  return (changed, place) =>
    `UPDATE questions SET state = 'withdrawn' WHERE questions.execution_id = (SELECT id FROM ${changed}) AND questions.state = 'open'
      ${stepIds === null ? '' : `AND questions.step_id = ANY(${place(stepIds)}::uuid[])`}`;
}
