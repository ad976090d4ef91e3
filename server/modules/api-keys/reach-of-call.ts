import type { RouteName } from '../../../contract/routes.ts';
import type { Statement } from '../../platform/database/statement.ts';

/** The validated parts of a call that may name a record. */
export type CallParts = { params?: unknown; query?: unknown; body?: unknown };

/** What a call names: a project itself, or a record of a table with a `project_id`. */
type Named = { kind: 'project'; id: string } | { kind: 'record'; table: keyof typeof statements; id: string };

const statements = {
  pipelines: 'SELECT project_id FROM pipelines WHERE id = $1',
  pipeline_steps: 'SELECT project_id FROM pipelines WHERE id = (SELECT pipeline_id FROM pipeline_steps WHERE id = $1)',
  executions: 'SELECT project_id FROM executions WHERE id = $1',
  questions: 'SELECT project_id FROM questions WHERE id = $1',
  results: 'SELECT project_id FROM results WHERE id = $1',
  input_sets: 'SELECT project_id FROM input_sets WHERE id = $1',
  /** Of an account a name is one team. */
  released_teams: 'SELECT project_id FROM released_teams WHERE slug = $1 AND run_as = $2',
};

/** Groups of calls about records of projects. Agents, their commands and their thoughts belong to the account. */
const groups: ReadonlySet<string> = new Set([
  'project',
  'teamVersion',
  'pipeline',
  'execution',
  'question',
  'result',
  'input',
  'budget',
  'team',
]);
const tables = { pipeline: 'pipelines', execution: 'executions', question: 'questions', result: 'results', input: 'input_sets' } as const;

/** Lists whose `id` is not that of the record that the tag names. */
const byPipeline: ReadonlySet<RouteName> = new Set(['execution.byPipeline', 'execution.readiness']);
const byExecution: ReadonlySet<RouteName> = new Set(['question.ofExecution']);

/**
 * Returns everything that a call names and that belongs to a project. A call that names nothing reaches all projects, so a key of one project may not
 * make it.
 */
export function namedBy(name: RouteName, { params, query, body }: CallParts): Named[] {
  const [path, asked, sent] = [params, query, body].map((part) => (part ?? {}) as Record<string, unknown>) as [Fields, Fields, Fields];
  const tag = name.split('.')[0] as string;
  if (!groups.has(tag)) return [];
  const named: Named[] = [];
  const add = (table: keyof typeof statements | 'project', id: unknown) => {
    if (typeof id === 'string') named.push(table === 'project' ? { kind: 'project', id } : { kind: 'record', table, id });
  };
  const own = byPipeline.has(name) ? 'pipelines' : byExecution.has(name) ? 'executions' : tables[tag as keyof typeof tables];
  if (tag === 'project' || tag === 'teamVersion') add('project', path.id);
  else if (own !== undefined) add(own, path.id);
  if (tag === 'team') {
    add('released_teams', path.slug);
    add('executions', path.id);
  }
  if (tag === 'pipeline') add('pipeline_steps', path.stepId);
  add('executions', path.pipelineExecutionId);
  for (const fields of [path, asked, sent]) add('project', fields.projectId);
  add('pipelines', sent.pipelineId);
  for (const id of [sent.executionId, sent.pipelineExecutionId, asked.left, asked.right]) add('executions', id);
  return named;
}

type Fields = Record<string, unknown>;

/** Reads the project of a record, for a call of an account. */
export function projectOfRecord({ table, id }: { table: keyof typeof statements; id: string }, userId: string): Statement {
  return { text: statements[table], values: table === 'released_teams' ? [id, userId] : [id] };
}

/** Calls after which a run calls models that waited. A fork is a run of the key that asks for it. */
export const continuing: ReadonlySet<RouteName> = new Set([
  'execution.start',
  'execution.update',
  'execution.resume',
  'execution.nextStep',
  'execution.addContext',
  'execution.runStep',
  'question.answer',
  'team.answer',
]);

/** Reads the API key that has started the run of a record; null for a record of no run. */
export function starterOfRecord({ table, id }: { table: keyof typeof statements; id: string }): Statement | null {
  if (table !== 'executions' && table !== 'questions') return null;
  const of = table === 'executions' ? '$1' : '(SELECT execution_id FROM questions WHERE id = $1)';
  return { text: `SELECT key_id FROM executions WHERE id = ${of}`, values: [id] };
}
