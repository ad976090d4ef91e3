import type { ErrorCode } from '../../../../contract/errors.ts';
import type { Question, QuestionAnswer } from '../../../../contract/executions/question.ts';
import { ApiError } from '../../../http/api-error.ts';
import { type Handlers, type Language, type Member, paged, type StoreIdempotentResponse } from '../../../http/call.ts';
import type { Db } from '../../../platform/database/database.ts';
import { checkAnswer } from '../questions/check-answer.ts';
import type { QuestionAnswers } from '../questions/question-answers.ts';
import { createQuestionLink } from '../questions/question-links.ts';
import { nameOfLinkHolder, type QuestionReads } from '../questions/question-reads.ts';
import { setHolds } from '../questions/set-holds.ts';
import { questionKinds } from '../store/question-kinds.ts';
import { type WordSource, wordsOfCaller } from '../store/word-sources.ts';
import type { RunTransition } from '../transitions/transitions.ts';

type Names = Extract<keyof Handlers, `question.${string}` | `questionLink.${string}`> | 'execution.setHolds';

type Deps = { db: Db; reads: QuestionReads; answers: QuestionAnswers; transition: RunTransition };

export function questionHandlers({ db, reads, answers, transition }: Deps): Pick<Handlers, Names> {
  return {
    'question.list': ({ user, query }) => paged(reads.list(user.ownerId, query)),
    'question.get': ({ user, params }) => reads.details(user.ownerId, params.id),
    'question.ofExecution': ({ user, params, query }) => paged(reads.ofExecution(user.ownerId, params.id, query)),
    'question.answer': ({ user, params, body, language, storeIdempotentResponse }) =>
      answerQuestion({ reads, answers }, { user, id: params.id, answer: body, language, keep: storeIdempotentResponse }),
    'question.createLink': ({ user, params }) => createQuestionLink(db, { userId: user.ownerId, id: params.id }),
    'questionLink.get': ({ params }) => reads.ofLink(params.token),
    'questionLink.answer': async ({ params, body, language }) => {
      const question = await reads.linked(params.token);
      await answers
        .answer({
          question,
          by: nameOfLinkHolder(question),
          words: 'signedLink',
          language,
          check: (open) => checkAnswer(open, body, language, true),
        })
        .catch(async (error: unknown) => {
          if (!(error instanceof ApiError && isOver.has(error.code))) throw error;
          // The question has ended meanwhile. The holder of its link learns whether it is answered, and not how.
          await reads.linked(params.token);
          throw new ApiError('question_answered');
        });
    },
    'execution.setHolds': ({ user, params, body, language }) =>
      setHolds(transition, { userId: user.ownerId, id: params.id, language }, body),
  };
}

type AccountAnswer = {
  user: Pick<Member, 'ownerId' | 'name' | 'key'>;
  id: string;
  answer: QuestionAnswer;
  /** Where its words come from; unless given, the caller. */
  words?: WordSource | undefined;
  language: Language;
  keep: StoreIdempotentResponse;
};

/** Answers a question for its account. Throws `key_not_allowed` for a program where only a person decides. */
export async function answerQuestion(
  { reads, answers }: Pick<Deps, 'reads' | 'answers'>,
  { user, id, answer, words = wordsOfCaller(user.key), language, keep }: AccountAnswer,
): Promise<Question> {
  const question = await reads.find(user.ownerId, id);
  if (user.key && !isAnsweredByPrograms(question)) throw new ApiError('key_not_allowed', { details: { kind: question.kind } });
  return answers.answer({
    question,
    by: user.key ? `${user.name} (${user.key.name})` : user.name,
    words,
    language,
    check: (open) => checkAnswer(open, answer, language),
    keep,
  });
}

/** Whether a key with the scope `answer` may answer a question. */
export function isAnsweredByPrograms({ kind }: Pick<Question, 'kind'>): boolean {
  return questionKinds[kind].isForOthers;
}

/** Refusals of an answer to a question that is not open any more. */
const isOver: ReadonlySet<ErrorCode> = new Set(['question_answered', 'question_withdrawn']);
