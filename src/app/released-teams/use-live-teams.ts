import { useEffect, useState } from 'react';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import { useCall, useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { usePanels } from '../workspace/panels.tsx';

/**
 * The released teams of the open project, for marks beside its versions. They are read again when the window that releases closes. None while they
 * load, and where they cannot be read: the window says what fails.
 */
export function useLiveTeams(): readonly ReleasedTeam[] {
  const call = useCall();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const isReleasing = usePanels().panels.window?.kind === 'connect';
  const [teams, setTeams] = useState<readonly ReleasedTeam[]>([]);
  useEffect(() => {
    if (projectId === null || isReleasing) return;
    let isGone = false;
    void call('releasedTeam.list', { params: { id: projectId } }).then((answer) => isGone || setTeams(answer.ok ? answer.value : []));
    return () => {
      isGone = true;
    };
  }, [call, projectId, isReleasing]);
  return teams;
}

/** Returns the titles of the teams whose live release has a canvas between two versions: after `older`, and at most `version`. */
export function liveIn(teams: readonly ReleasedTeam[], version: number, older: number): string[] {
  return teams.filter(({ live }) => live.canvasVersion <= version && live.canvasVersion > older).map(({ title }) => title);
}
