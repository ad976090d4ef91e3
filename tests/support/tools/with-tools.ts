import type { ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { Question, QuestionAnswer } from '../../../contract/executions/question.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import type { ServerTool, ToolServer, ToolServerCreation, ToolServerTest } from '../../../contract/tool-server.ts';
import type { RunAccount } from '../run-account.ts';
import type { ModelCall, ModelServer } from '../services/model-server.ts';

const path = '/project/default/tool-servers';

/** What a person does with tool servers and runs that call them, in the first project. */
export function withTools(ann: RunAccount) {
  const test = async (id: string) => (await ann.call<ToolServerTest>('POST', `${path}/${id}/test`)).body;
  const questions = async (id: string) => (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;
  return {
    test,
    add: async (given: ToolServerCreation) => (await ann.call<ToolServer>('POST', path, given)).body,
    servers: async () => (await ann.call<ToolServer[]>('GET', path)).body,
    tools: async () => (await ann.call<ServerTool[]>('GET', '/project/default/tools')).body,
    /** Adds a server and asks it for its tools. */
    async connect(url: string, name = 'Tickets'): Promise<ToolServerTest> {
      return test((await this.add({ name, url })).id);
    },
    tick: (agent: string, tools: readonly ServerTool[]) =>
      ann.call('PUT', `/project/default/agents/${ann.agent(agent).id}/tools`, { toolIds: tools.map(({ id }) => id) }),
    setPolicy: (tool: ServerTool, policy: string) => ann.call('PUT', `/project/default/tools/${tool.id}/policy`, { policy }),
    calls: async (id: string) => (await ann.call<ToolCall[]>('GET', `/PipelineExecution/${id}/calls?limit=100`)).body,
    ended: (id: string): Promise<ExecutionDetails> => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status)),
    async question(id: string): Promise<Question> {
      await ann.until(id, ({ openQuestions }) => openQuestions === 1);
      return (await questions(id)).find(({ state }) => state === 'open') as Question;
    },
    answer: (question: Question, body: QuestionAnswer) => ann.call('POST', `/question/${question.id}/answer`, body),
  };
}

export const turnOf = ({ body }: ModelCall) => body.messages.filter(({ role }) => role === 'assistant').length;
export const resultsIn = ({ body }: ModelCall) => body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

/** Lets a model call tools in its turns: each call is a name with its arguments. Then it answers. */
export function callTools(models: ModelServer, ...turns: (readonly [string, object])[][]): void {
  models.answer((call) => {
    const turn = turns[turnOf(call)];
    if (!turn) return { kind: 'text', text: 'Done.' };
    return { kind: 'calls', calls: turn.map(([name, args], at) => ({ id: `c${at}`, name, arguments: JSON.stringify(args) })) };
  });
}
