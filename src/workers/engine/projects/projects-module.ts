import type { ProjectCommand } from '../../../model/commands.ts';
import { done, outcomeOf } from '../../../model/problem.ts';
import { isMissing, refusal } from '../backends/port.ts';
import type { DocumentCheck } from '../document/document-check.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { createProject, loadProjects, saveCanvasAsProject, showProject } from './project-list.ts';
import { ProjectWatch } from './project-watch.ts';

export type ProjectsModule = EngineModule<ProjectCommand['type']> & {
  /** True when the open project was removed, or its canvas belongs to another project: it is not opened again and not saved. */
  readonly isGone: boolean;
  /** Shows that the open project was removed elsewhere. */
  showRemoved(): void;
};

/** The user's projects: their list, and changes to the open one by other tabs and devices. */
export function createProjectsModule(
  context: EngineContext,
  { persistence, check }: { persistence: { clearJournal(): Promise<void> }; check: Pick<DocumentCheck, 'soon'> },
): ProjectsModule {
  const { store, backend } = context;
  const watch = new ProjectWatch(context);

  /** Drops edits that the server has not received: their project no longer exists there. */
  async function detachProject(): Promise<void> {
    watch.leave();
    await persistence.clearJournal();
  }

  return {
    handlers: {
      'projects.load': async () => outcomeOf(await loadProjects(context)),
      'project.create': async ({ name, description }) => {
        const made = await createProject(context, { name, description });
        return made.ok ? showProject(store, made.value) : refusal(made.fault);
      },
      'project.keepCanvas': async ({ name }) => {
        const made = await saveCanvasAsProject(context, name);
        if (!made.ok) return refusal(made.fault);
        await detachProject();
        return showProject(store, made.value);
      },
      'project.update': async ({
        id,
        status,
        name,
        description,
        parallelSteps,
        holdHandOffs,
        testCommand,
        installs,
        fetchHosts,
        maxTurns,
        maxCalls,
      }) => {
        const changes = {
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description }),
          ...(parallelSteps !== undefined && { parallelSteps }),
          ...(holdHandOffs !== undefined && { holdHandOffs }),
          ...(testCommand !== undefined && { testCommand }),
          ...(installs !== undefined && { installs }),
          ...(fetchHosts !== undefined && { fetchHosts }),
          ...(maxTurns !== undefined && { maxTurns }),
          ...(maxCalls !== undefined && { maxCalls }),
        };
        if (Object.keys(changes).length > 0) {
          const changed = await backend.call('project.update', { params: { id }, body: changes });
          if (!changed.ok) return refusal(changed.fault);
          showProject(store, changed.value);
          // Whether branches run together decides whether a run follows links.
          if (parallelSteps !== undefined) check.soon();
        }
        if (status === undefined) return done;
        const moved = await backend.call('project.setStatus', { params: { id }, body: { status } });
        return moved.ok ? showProject(store, moved.value) : refusal(moved.fault);
      },
      'project.remove': async ({ id }) => {
        const removed = await backend.call('project.remove', { params: { id } });
        if (!removed.ok && !isMissing(removed.fault)) return refusal(removed.fault);
        if (store.state.project?.id === id) await detachProject();
        store.update(({ projects }) => {
          projects.items = projects.items.filter((project) => project.id !== id);
          delete projects.statistics[id];
        });
        return done;
      },
      'project.count': async ({ id }) => {
        const counted = await backend.call('project.statistics', { params: { id } });
        if (!counted.ok) return refusal(counted.fault);
        store.update(({ projects }) => {
          projects.statistics[id] = counted.value;
        });
        return done;
      },
    },
    get isGone() {
      return watch.isGone;
    },
    showRemoved: () => watch.showRemoved(),
    onMessage: (message) => watch.receive(message),
    onAnswer: (fault) => watch.receiveFault(fault),
    onOnline: () => void watch.look(),
  };
}
