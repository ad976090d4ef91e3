import { useEffect, useState } from 'react';
import type { TeamVersionItem, TeamVersionPage } from '../../../../contract/team-version.ts';
import type { Outcome, Problem } from '../../../model/problem.ts';
import { useRead, useWorkspace } from '../../../workers/bridge/use-workspace.ts';

const pageSize = 100;

/** Reads the named versions of the team, newest first: at most 200. They are read again with another `turn`. */
export function useTeamVersions(turn: number): { teams: readonly TeamVersionItem[]; problem: Problem | null } {
  const read = useRead();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const [teams, setTeams] = useState<readonly TeamVersionItem[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a named team makes the list out of date
  useEffect(() => {
    let isGone = false;
    void (async () => {
      const found: TeamVersionItem[] = [];
      for (let before: number | null = null; projectId !== null; ) {
        const answer: Outcome<TeamVersionPage> = await read('listTeamVersions', projectId, {
          named: 'true',
          limit: pageSize,
          ...(before !== null && { before }),
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
  }, [read, projectId, turn]);
  return { teams, problem };
}
