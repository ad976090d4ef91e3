import type { Kind } from './support/open-work.ts';

/** What a webhook and an event that is sent again do alike: they start a run of a released team, whose one step has a file and a budget. */
const eventAndRun = {
  'reads triggers': 1,
  'writes rate_limits': 1,
  'reads users': 2,
  'reads budget_uses, budgets': 1,
  'reads released_teams': 4,
  'reads team_releases': 1,
  'reads team_versions': 2,
  'reads agent_tools, agents, connections, projects, server_tools, tool_servers': 2,
  'reads executions, team_runs': 1,
  'writes input_sets': 1,
  'reads input_sets': 3,
  'begin; reads input_sets; reads input_files; reads git_base_files, input_sets; reads input_files, input_sets, replaced_git_files; writes replaced_git_files; writes input_files; writes input_files': 1,
  'reads agents, budgets, connections, pipeline_steps, pipelines, team_versions, users': 1,
  'reads files_of_sets': 3,
  'writes budget_uses, spend': 2,
  'writes artel_queue.job, execution_events, execution_steps, executions, hook_deliveries, results': 1,
};
const startOfEvent =
  'begin; writes artel_queue.job, execution_events, execution_steps, executions, input_sets, results; writes team_runs; locks; reads executions, team_runs; reads triggers; reads executions; reads fires; writes fires; writes fires';

/**
 * Every statement that a piece of work sends, and how often. `begin; …` is a transaction. The look at the caller's session is not among them: it is kept
 * for a while. A change of this list is a change of what the work costs: see docs/decisions/costs-held-by-counts.md.
 */
export const statementsOf: Record<Exclude<Kind, 'graph'>, Record<string, number>> = {
  run: {
    'reads agent_tools, agents, budgets, connections, latest_teams, pipeline_steps, pipelines, projects, server_tools, tool_servers, users': 1,
    'writes artel_queue.job, execution_events, execution_steps, executions, results': 1,
    'writes execution_events, execution_steps, executions, spend': 4,
    'writes artel_queue.job, execution_events, execution_steps, executions, hook_deliveries, results, spend': 1,
  },
  command: {
    'reads agents, connections, users': 1,
    'writes agent_commands, artel_queue.job': 1,
    'writes agent_commands, artel_queue.job, spend': 1,
  },
  save: {
    'begin; reads canvas_changes, canvas_snapshots, projects; writes canvas_changes, canvas_connections, canvas_nodes, projects': 1,
  },
  answer: {
    'reads questions': 1,
    'begin; reads executions; reads questions; reads execution_steps; writes questions; writes artel_queue.job, execution_events, execution_steps, executions': 1,
    'reads executions': 1,
    'begin; writes executions; reads executions; reads execution_steps; reads execution_contexts; writes artel_queue.job, execution_events, executions, hook_deliveries, results': 1,
  },
  webhook: { ...eventAndRun, 'reads fires': 3, 'reads executions': 2, [startOfEvent]: 1 },
  fire: {
    ...eventAndRun,
    'reads projects': 1,
    'reads fires': 5,
    'reads executions': 2,
    [`${startOfEvent}; reads fires; reads executions`]: 1,
  },
};
