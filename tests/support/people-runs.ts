import { expect } from 'vitest';
import type { ExecutionDetails } from '../../contract/executions/execution.ts';
import type { Pipeline, PipelineCreation, PipelineLink } from '../../contract/executions/pipeline.ts';
import type { Question, QuestionAnswer } from '../../contract/executions/question.ts';
import type { ModelCall } from './services/model-server.ts';
import { setUpAccount, setUpModelServer, setUpServer } from './set-up/for-vitest.ts';

type Name = 'assistant' | 'developer' | 'qa' | 'analyst';
export type Link = Omit<PipelineLink, 'id'>;

const names: Name[] = ['assistant', 'developer', 'qa', 'analyst'];

export const statuses = ({ steps }: ExecutionDetails) => steps.map(({ status }) => status);

/** Starts a server for the tests of a file, whose runs ask persons; each agent answers with its name. */
export function setUpPeopleRuns() {
  const models = setUpModelServer((call) => ({ kind: 'text', text: `From ${nameOf(call)}.` }));
  const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
  const ann = setUpAccount(server);

  const nameOf = (call: ModelCall): Name => {
    const prompt = call.body.messages[0]?.content ?? '';
    const found = names.find((name) => ann.agent(name).configuration.systemPrompt === prompt);
    if (!found) throw new Error(`No agent has this prompt: ${prompt}`);
    return found;
  };
  const promptOf = (name: Name, at = 0) => models.calls.filter((call) => nameOf(call) === name)[at]?.body.messages[1]?.content ?? '';
  const callsOf = (name: Name) => models.calls.filter((call) => nameOf(call) === name).length;

  /** Creates a pipeline whose links are `a>b`. A step with `person` settings is that of a person. */
  const pipeline = async (steps: Partial<Record<Name, object>>, links: Link[], more: Partial<PipelineCreation> = {}): Promise<Pipeline> => {
    const made = await ann.call<Pipeline>('POST', '/Pipeline', {
      name: 'People',
      projectId: 'default',
      steps: Object.entries(steps).map(([name, settings]) => ({ name, agentId: ann.agent(name).id, nodeId: name, settings })),
      links: links.map((link) => ({ id: `${link.from}>${link.to}`, ...link })),
      maxParallel: 4,
      ...more,
    });
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    return made.body;
  };

  const questionsOf = async (id: string) => (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;

  /** Waits until the run has this many open questions. */
  const asked = async (id: string, many = 1): Promise<Question[]> => {
    await ann.until(id, ({ openQuestions = 0 }) => openQuestions === many);
    const open = (await questionsOf(id)).filter(({ state }) => state === 'open');
    expect(open).toHaveLength(many);
    return open;
  };

  const answer = (question: Pick<Question, 'id'> | undefined, body: QuestionAnswer) =>
    ann.call<Question>('POST', `/question/${question?.id}/answer`, body);

  const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));

  return { models, server, ann, nameOf, promptOf, callsOf, pipeline, questionsOf, asked, answer, ended };
}
