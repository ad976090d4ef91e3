import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';

/** The name of a question's project, if its list was read or it is the open one. */
export function useProjectName(projectId: string): string | null {
  return useWorkspace(
    ({ project, projects }) => (project?.id === projectId ? project.name : projects.items.find(({ id }) => id === projectId)?.name) ?? null,
  );
}
