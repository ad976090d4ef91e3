import { useEffect, useRef, useState } from 'react';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import { createApi } from '../../api/create-api.ts';
import { useApiBase, useSession } from '../../session/session-provider.tsx';
import { useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { usePanels } from '../workspace/panels.tsx';

/** The released teams of the open project, for marks beside its versions. They are read again when the window that releases closes. None while they load, and without a server: the window says what fails. */
export function useLiveTeams(): readonly ReleasedTeam[] {
  const apiBase = useApiBase();
  const { accessToken } = useSession();
  const latestToken = useRef(accessToken);
  latestToken.current = accessToken;
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const isDemo = useWorkspace(({ connection }) => connection.realtime === 'demo');
  const isReleasing = usePanels().panels.window?.kind === 'connect';
  const [teams, setTeams] = useState<readonly ReleasedTeam[]>([]);
  useEffect(() => {
    if (apiBase === null || projectId === null || isDemo || isReleasing) return;
    const gone = new AbortController();
    createApi({ base: apiBase, getToken: () => latestToken.current() })
      .call('releasedTeam.list', { params: { id: projectId }, signal: gone.signal })
      .then(setTeams, () => setTeams([]));
    return () => gone.abort();
  }, [apiBase, projectId, isDemo, isReleasing]);
  return teams;
}

/** Returns the titles of the teams whose live release has a canvas between two versions: after `older`, and at most `version`. */
export function liveIn(teams: readonly ReleasedTeam[], version: number, older: number): string[] {
  return teams.filter(({ live }) => live.canvasVersion <= version && live.canvasVersion > older).map(({ title }) => title);
}
