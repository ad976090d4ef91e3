import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { VersionCounts } from '../../../../contract/canvas-version.ts';
import type { TeamCheck } from '../../../../contract/team-version.ts';
import type { Problem } from '../../../model/problem.ts';
import { type Comparison, compareDocuments } from '../../../model/versions/comparison.ts';
import { useCall, useWorkspace } from '../../../workers/bridge/use-workspace.ts';

/**
 * Compares a version of the team with what there is now: `check` by the server, `canvas` counts what a restoration changes there, also of edits that are
 * not saved yet.
 */
export function useTeamComparison(number: number) {
  const call = useCall();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const now = useWorkspace((state) => state.document);
  const [check, setCheck] = useState<TeamCheck | null>(null);
  const [document, setDocument] = useState<CanvasDocument | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const reload = useCallback(async () => {
    if (projectId === null) return;
    const [checked, version] = await Promise.all([
      call('teamVersion.check', { params: { id: projectId, version: number } }),
      call('teamVersion.get', { params: { id: projectId, version: number } }),
    ]);
    setProblem(checked.ok ? (version.ok ? null : version.error) : checked.error);
    if (checked.ok) setCheck(checked.value);
    if (version.ok) setDocument(version.value.document);
  }, [call, projectId, number]);
  useEffect(() => void reload(), [reload]);
  const canvas = useMemo(() => document && countsOf(compareDocuments(now, document)), [document, now]);
  return { check, canvas, problem, reload };
}

function countsOf({ nodes, connections }: Comparison): VersionCounts {
  const count = (records: Comparison['nodes'] | Comparison['connections'], kind: string) =>
    Object.values(records).filter((difference) => difference.kind === kind).length;
  return {
    added: count(nodes, 'added'),
    removed: count(nodes, 'removed'),
    changed: count(nodes, 'changed'),
    moved: count(nodes, 'moved'),
    linksAdded: count(connections, 'added'),
    linksRemoved: count(connections, 'removed'),
    linksChanged: count(connections, 'changed'),
  };
}
