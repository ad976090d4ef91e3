import { expect, test } from 'vitest';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import type { Question } from '../../contract/executions/question.ts';
import { amountOf, limitOf } from '../support/amounts.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { setUp, setUpServerOnDatabase } from '../support/set-up/for-vitest.ts';

const times = amountOf({ some: 40, whole: 1_000 });
/** Questions that are open at the same time. */
const atOnce = 20;

const { server } = setUpServerOnDatabase({ ARTEL_SIMULATED_ANSWER_MS: '0' }, { ownProcess: 'Two processes answer one question.' });
const other = setUp(
  () => server.beside(),
  ({ stop }) => stop(),
);

/** Starts a run whose first step asks, and returns its question with a signed link. */
async function openQuestion(ann: RunAccount, pipelineId: string) {
  const { id } = await ann.start({ id: pipelineId } as Pipeline, 'Plan a bakery');
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  const [question] = (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;
  const link = await ann.call<{ path: string }>('POST', `/question/${question?.id}/link`);
  return { id, questionId: question?.id ?? '', path: link.body.path };
}

test(
  'G2.06 two people answer a question at the same time, on two nodes: exactly one wins, and the run gets that answer',
  async () => {
    const ann = await signUp(server.url);
    const made = await ann.call<Pipeline>('POST', '/Pipeline', {
      ...{ name: 'Ask', projectId: 'default' },
      steps: [
        { name: 'ask', agentId: ann.agent('qa').id, nodeId: 'ask', settings: { person: { question: 'Go on?' } } },
        { name: 'next', agentId: ann.agent('developer').id, nodeId: 'next' },
      ],
      links: [{ id: 'ask>next', from: 'ask', to: 'next' }],
    });
    for (let done = 0; done < times; done += atOnce) {
      await Promise.all(
        Array.from({ length: atOnce }, async (_, at) => {
          const { id, questionId, path } = await openQuestion(ann, made.body.id);
          const answer = (text: string) => ({ action: 'answer', text });
          // An address may answer by links 300 times in a quarter of an hour.
          const theirPath = at % 5 === 0 ? path : `/question/${questionId}/answer`;
          const [mine, theirs] = await Promise.all([
            ann.call('POST', `/question/${questionId}/answer`, answer('Mine')),
            ann.at(other).call('POST', theirPath, answer('Theirs')),
          ]);
          const isMine = mine.status === 200;
          expect(isMine).toBe(theirs.status === 409);
          expect(isMine ? theirs : mine).toMatchObject({ status: 409, body: { code: 'question_answered' } });
          const ended = await ann.until(id, ({ status }) => status === 'completed');
          expect(ended.steps.map(({ status }) => status)).toEqual(['completed', 'completed']);
          expect(ended.steps[0]?.result).toBe(isMine ? 'Mine' : 'Theirs');
          expect((await ann.logs(id)).filter(({ type }) => type === 'question.answered')).toHaveLength(1);
        }),
      );
    }
  },
  limitOf(300_000),
);
