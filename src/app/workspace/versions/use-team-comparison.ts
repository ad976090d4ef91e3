import { useMemo } from 'react';
import type { VersionCounts } from '../../../../contract/canvas-version.ts';
import { type Comparison, compareDocuments } from '../../../model/versions/comparison.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';

/**
 * Compares a version of the team with what there is now: `check` by the server, `canvas` counts what a restoration changes there, also of edits that are
 * not saved yet.
 */
export function useTeamComparison(number: number) {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const now = useWorkspace((state) => state.document);
  const input = projectId === null ? null : { params: { id: projectId, version: number } };
  const check = useRead('teamVersion.check', input);
  const version = useRead('teamVersion.get', input);
  const document = version.value?.document;
  const canvas = useMemo(() => (document ? countsOf(compareDocuments(now, document)) : null), [document, now]);
  const reload = () => {
    check.again();
    version.again();
  };
  return { check: check.value, canvas, problem: check.problem ?? version.problem, reload };
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
