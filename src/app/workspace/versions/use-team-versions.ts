import { useEffect, useState } from 'react';
import type { TeamVersionItem, TeamVersionPage } from '../../../../contract/team-version.ts';
import type { Answered } from '../../../model/call.ts';
import type { Problem } from '../../../model/problem.ts';
import { useCall, useWorkspace } from '../../../workers/bridge/use-workspace.ts';

const pageSize = 100;

/** Reads the named versions of the team, newest first: at most 200. They are read again with another `turn`. */
export function useTeamVersions(turn: number): { teams: readonly TeamVersionItem[]; problem: Problem | null } {
  const call = useCall();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const [teams, setTeams] = useState<readonly TeamVersionItem[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a named team makes the list out of date
  useEffect(() => {
    let isGone = false;
    void (async () => {
      const found: TeamVersionItem[] = [];
      for (let before: number | null = null; projectId !== null; ) {
        const answer: Answered<TeamVersionPage> = await call('teamVersion.list', {
          params: { id: projectId },
          query: {
            named: 'true' as const,
            limit: pageSize,
            ...(before !== null && { before }),
          },
        });
        if (isGone) return;
        setProblem(answer.ok ? null : answer.error);
        if (!answer.ok) return;
        found.push(...answer.value.items);
        before = answer.value.next;
        if (before === null) break;
      }
      setTeams(found);
    })();
    return () => {
      isGone = true;
    };
  }, [call, projectId, turn]);
  return { teams, problem };
}
