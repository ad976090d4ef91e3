import type { TeamVersionItem } from '../../../../contract/team-version.ts';
import type { Call } from '../../../model/call.ts';
import type { Outcome, Problem } from '../../../model/problem.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useLoad } from '../../server-data/use-read.ts';

const pageSize = 100;
const none: readonly TeamVersionItem[] = [];

/** Reads the named versions of the team, newest first: at most 200. They are read again with another `turn`. */
export function useTeamVersions(turn: number): { teams: readonly TeamVersionItem[]; problem: Problem | null } {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const { value, problem } = useLoad('teamVersion.list', projectId, (call) => readNamed(call, projectId ?? ''), {
    when: turn,
    keepsProblem: true,
  });
  return { teams: value ?? none, problem };
}

async function readNamed(call: Call, projectId: string): Promise<Outcome<TeamVersionItem[]>> {
  const found: TeamVersionItem[] = [];
  for (let before: number | null = null; ; ) {
    const query: { named: 'true'; limit: number; before?: number } = { named: 'true', limit: pageSize, ...(before !== null && { before }) };
    const answer = await call('teamVersion.list', { params: { id: projectId }, query });
    if (!answer.ok) return answer;
    found.push(...answer.value.items);
    if (answer.value.next === null) return { ok: true, value: found };
    before = answer.value.next;
  }
}
