import type { Execution } from '../../../../contract/executions/execution.ts';
import { parallelByBranches } from '../../../../contract/executions/parallel-steps.ts';
import type { Project } from '../../../../contract/project.ts';
import type { CommandResult } from '../../../model/commands.ts';
import { everyPage } from '../../../model/every-page.ts';
import type { Outcome, Problem } from '../../../model/problem.ts';
import { parallelSettingOf } from '../../../model/run/plan/parallel-limit.ts';
import type { Answer, Backend } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { Store } from '../store/store.ts';

/** Reads all projects and which of them have an active run. Without an answer of the server, the previous list stays. */
export async function loadProjects({ store, backend }: EngineContext): Promise<Problem | null> {
  store.update(({ projects }) => {
    if (projects.status !== 'ready') projects.status = 'loading';
  });
  const [listed, running] = await Promise.all([everyPage((query) => backend.call('project.list', { query })), listUnderWay(backend)]);
  store.update((draft) => {
    const { projects } = draft;
    if (running.ok) projects.runningIds = [...new Set(running.value.map(({ projectId }) => projectId))];
    if (listed.ok) {
      projects.items = listed.value;
      projects.status = 'ready';
      projects.error = null;
      const current = listed.value.find(({ id }) => id === draft.project?.id);
      if (current) draft.project = current;
    } else {
      if (projects.status === 'loading') projects.status = 'failed';
      projects.error = listed.fault.problem;
    }
  });
  return listed.ok ? null : listed.fault.problem;
}

/** Selects the executions of all projects that have begun and not ended, without those that wait for their start. */
async function listUnderWay(backend: Backend): Promise<Answer<Execution[]>> {
  const statuses = ['pending', 'running', 'paused'] as const;
  const found = await Promise.all(statuses.map((status) => backend.call('execution.byStatus', { params: { status } })));
  const value = found.flatMap((answer) => (answer.ok ? answer.value.filter(({ held }) => !held) : []));
  return found.find((answer) => !answer.ok) ?? { ok: true, value };
}

/** Creates a project. The idempotency key prevents a second one after a lost answer. */
export function createProject(context: EngineContext, words: { name: string; description: string }): Promise<Answer<Project>> {
  return callOnce(context, 'project.create', { body: words });
}

/** Makes a project with the canvas that is shown. When the canvas cannot be saved there, the empty project is removed again. */
export async function saveCanvasAsProject(context: EngineContext, name: string): Promise<Answer<Project>> {
  const { store, backend, environment } = context;
  const made = await createProject(context, { name, description: '' });
  if (!made.ok) return made;
  const canvas = await backend.call('project.canvas', { params: { id: made.value.id } });
  const { nodes, connections } = store.document;
  const saved = canvas.ok
    ? await backend.call('project.putCanvas', {
        params: { id: made.value.id },
        body: { nodes: { ...nodes }, connections: { ...connections }, baseVersion: canvas.value.version },
        idempotencyKey: environment.newId(),
      })
    : canvas;
  if (saved.ok) return keepParallelSteps(context, made);
  await backend.call('project.remove', { params: { id: made.value.id } });
  return saved;
}

/** A canvas from before branches ran together by themselves stays as it was. A failure of this leaves the setting of a new project. */
async function keepParallelSteps(
  { store, backend }: EngineContext,
  made: Extract<Answer<Project>, { ok: true }>,
): Promise<Answer<Project>> {
  const parallelSteps = parallelSettingOf(store.state.project) ?? 1;
  if (parallelSteps === parallelSettingOf(made.value) || parallelSteps === parallelByBranches) return made;
  const changed = await backend.call('project.update', { params: { id: made.value.id }, body: { parallelSteps } });
  return changed.ok ? changed : made;
}

/** Shows a project in the server's current version. */
export function showProject(store: Store, project: Project): Outcome<CommandResult> {
  store.update((draft) => {
    const { items } = draft.projects;
    const at = items.findIndex(({ id }) => id === project.id);
    if (at === -1) items.push(project);
    else items[at] = project;
    if (draft.project?.id === project.id) draft.project = project;
  });
  return { ok: true, value: { projectId: project.id } };
}
