import { singleFlight } from '../../../../async/single-flight.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Question } from '../../../../contract/executions/question.ts';
import type { Command } from '../../../model/commands.ts';
import { done, outcomeOf, type Problem } from '../../../model/problem.ts';
import { refusal } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { loadProjects } from '../projects/project-list.ts';

/** How often the list is read again without a message of the socket (ms). */
const questionsEveryMs = 30_000;

/** The most questions of the list: a page of the server's. */
const maxListed = 200;

type QuestionsType = Extract<Command['type'], `question${string}`>;

/** Events of a run after which none of its questions is open. */
const ends = new Set<ExecutionEvent['type']>(['execution.completed', 'execution.failed', 'execution.cancelled']);

/** The open questions of all the user's runs: read at first and at intervals, kept by messages of the socket, and answered. */
export function createQuestionsModule(context: EngineContext): EngineModule<QuestionsType> {
  const { store, backend, environment, source } = context;
  let cancelTimer = () => {};

  const change = (edit: (items: Question[]) => Question[]) =>
    store.update(({ questions }) => {
      questions.items = edit(questions.items);
    });
  const remove = (gone: (question: Question) => boolean) => {
    if (store.state.questions.items.some(gone)) change((items) => items.filter((question) => !gone(question)));
  };

  /** Projects of questions whose names were asked for: one that was removed meanwhile has none. */
  const namesAsked = new Set<string>();
  /** A question of another project is shown with its name. */
  const nameProjects = () => {
    const { project, projects, questions } = store.state;
    const known = new Set([project?.id, ...projects.items.map(({ id }) => id)]);
    const unknown = questions.items.map(({ projectId }) => projectId).filter((id) => !known.has(id) && !namesAsked.has(id));
    for (const id of unknown) namesAsked.add(id);
    if (unknown.length > 0) void loadProjects(context);
  };

  const load = singleFlight(
    async (): Promise<Problem | null> => {
      cancelTimer();
      const listed = store.state.connection.authenticated
        ? await backend.call('question.list', { query: { state: 'open', limit: maxListed } })
        : null;
      if (listed)
        store.update(({ questions }) => {
          if (listed.ok) Object.assign(questions, { items: listed.value, status: 'ready' });
          else if (questions.status === 'unasked') questions.status = 'failed';
        });
      nameProjects();
      if (!context.signal.aborted) cancelTimer = environment.later(questionsEveryMs, () => void load());
      return listed && !listed.ok ? listed.fault.problem : null;
    },
    { rerun: true },
  );
  const loadFromServer = () => (source.kind === 'server' ? load() : Promise.resolve(null));

  return {
    handlers: {
      'questions.load': async () => outcomeOf(await loadFromServer()),
      'question.answer': async ({ id, answer }) => {
        const answered = await callOnce(context, 'question.answer', { params: { id }, body: answer });
        const isGone =
          answered.ok || answered.fault.problem.code === 'question_answered' || answered.fault.problem.code === 'question_withdrawn';
        if (isGone) remove((question) => question.id === id);
        return answered.ok ? done : refusal(answered.fault);
      },
    },
    onMessage: (message) => {
      if (message.type !== 'pipeline_update') return;
      const { executionId, event } = message;
      const { question } = event;
      if (question) {
        remove(({ id }) => id === question.id);
        if (question.state === 'open') change((items) => [question, ...items]);
        nameProjects();
      } else if (ends.has(event.type)) remove((open) => open.executionId === executionId);
      else if (event.type === 'question.withdrawn')
        remove((open) => open.executionId === executionId && open.stepId === event.step?.stepId);
    },
    onProjectOpened: () => void loadFromServer(),
    onOnline: () => void loadFromServer(),
    close: () => cancelTimer(),
  };
}
