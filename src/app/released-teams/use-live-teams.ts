import type { ReleasedTeam } from '../../../contract/released-team.ts';
import { useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { useRead } from '../server-data/use-read.ts';
import { usePanels } from '../workspace/frame/panels.tsx';

const none: readonly ReleasedTeam[] = [];

/**
 * The released teams of the open project, for marks beside its versions. They are read again when the window that releases closes. None while they
 * load, and where they cannot be read: the window says what fails.
 */
export function useLiveTeams(): readonly ReleasedTeam[] {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const isReleasing = usePanels().panels.window?.kind === 'connect';
  const input = projectId === null || isReleasing ? null : { params: { id: projectId } };
  const { value, problem } = useRead('releasedTeam.list', input, { about: projectId });
  return problem ? none : (value ?? none);
}

/** Returns the titles of the teams whose live release has a canvas between two versions: after `older`, and at most `version`. */
export function liveIn(teams: readonly ReleasedTeam[], version: number, older: number): string[] {
  return teams.filter(({ live }) => live.canvasVersion <= version && live.canvasVersion > older).map(({ title }) => title);
}
