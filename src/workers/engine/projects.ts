import type { Project } from '../../../contract/project.ts';
import type { CommandResult, ProjectCommand } from '../../model/commands.ts';
import { failed, type Outcome, type Problem } from '../../model/problem.ts';
import { type Answer, type Backend, isMissing } from './backends/port.ts';
import type { Environment } from './environment.ts';
import type { Store } from './store/store.ts';
import { twice } from './twice.ts';

type ProjectParts = {
  store: Store;
  backend: Backend;
  environment: Pick<Environment, 'newId' | 'later'>;
  /** The project that is open was removed from here, or its canvas now lives in another: nothing more is saved to it. */
  letGo: () => Promise<void>;
};

/** Carries out what is done to projects as a whole. */
export async function dispatchProjectCommand(parts: ProjectParts, command: ProjectCommand): Promise<Outcome<CommandResult>> {
  const { store, backend, letGo } = parts;
  switch (command.type) {
    case 'projects.load': {
      const problem = await loadProjects(store, backend);
      return problem ? { ok: false, error: problem } : done;
    }
    case 'project.create': {
      const { name, description } = command;
      const made = await create(parts, { name, description });
      return made.ok ? taken(store, made.value) : refused(made);
    }
    case 'project.keepCanvas':
      return keepCanvas(parts, command.name);
    case 'project.update': {
      const { id, status, name, description } = command;
      const words = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
      if (Object.keys(words).length > 0) {
        const changed = await backend.updateProject(id, words);
        if (!changed.ok) return refused(changed);
        taken(store, changed.value);
      }
      if (status === undefined) return done;
      const moved = await backend.setProjectStatus(id, status);
      return moved.ok ? taken(store, moved.value) : refused(moved);
    }
    case 'project.remove': {
      const removed = await backend.removeProject(command.id);
      if (!removed.ok && !isMissing(removed.fault)) return refused(removed);
      if (store.state.project?.id === command.id) await letGo();
      store.update(({ projects }) => {
        projects.items = projects.items.filter(({ id }) => id !== command.id);
        delete projects.statistics[command.id];
      });
      return done;
    }
    case 'project.count': {
      const counted = await backend.projectStatistics(command.id);
      if (!counted.ok) return refused(counted);
      store.update(({ projects }) => {
        projects.statistics[command.id] = counted.value;
      });
      return done;
    }
    default:
      return command satisfies never;
  }
}

/** Reads all the projects and in which of them a run goes on. What was read before stays when the server does not answer. */
export async function loadProjects(store: Store, backend: Backend): Promise<Problem | null> {
  store.update(({ projects }) => {
    if (projects.status !== 'ready') projects.status = 'loading';
  });
  const [listed, running] = await Promise.all([backend.listProjects(), backend.listUnderWay()]);
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

/** A request whose answer was lost makes no second project. */
function create({ backend, environment }: ProjectParts, words: { name: string; description: string }): Promise<Answer<Project>> {
  const key = { idempotencyKey: environment.newId() };
  return twice(environment, () => backend.createProject(words, key));
}

async function keepCanvas(parts: ProjectParts, name: string): Promise<Outcome<CommandResult>> {
  const { store, backend, environment, letGo } = parts;
  const made = await create(parts, { name, description: '' });
  if (!made.ok) return refused(made);
  // An empty project in its place would only be in the way of the next try.
  const given = async (answer: Parameters<typeof refused>[0]) => {
    await backend.removeProject(made.value.id);
    return refused(answer);
  };
  const canvas = await backend.readCanvas(made.value.id);
  if (!canvas.ok) return given(canvas);
  const { nodes, connections } = store.document;
  const document = { nodes: { ...nodes }, connections: { ...connections }, baseVersion: canvas.value.version };
  const put = await backend.putCanvas(made.value.id, document, { idempotencyKey: environment.newId() });
  if (!put.ok) return given(put);
  await letGo();
  return taken(store, made.value);
}

/** Shows a project as the server has it now. */
function taken(store: Store, project: Project): Outcome<CommandResult> {
  store.update((draft) => {
    const { items } = draft.projects;
    const at = items.findIndex(({ id }) => id === project.id);
    if (at === -1) items.push(project);
    else items[at] = project;
    if (draft.project?.id === project.id) draft.project = project;
  });
  return { ok: true, value: { projectId: project.id } };
}

function refused<T>(answer: Extract<Answer<T>, { ok: false }>): Outcome<CommandResult> {
  const { code, params } = answer.fault.problem;
  return failed(code, params);
}

const done: Outcome = { ok: true, value: undefined };
