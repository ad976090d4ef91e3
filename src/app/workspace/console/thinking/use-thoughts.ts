import { useEffect, useMemo, useRef, useState } from 'react';
import type { Thought } from '../../../../../contract/executions/thought.ts';
import { thoughtsPerPage } from '../../../../model/page-lengths.ts';
import type { Problem } from '../../../../model/problem.ts';
import { useCall, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { type RemoteData, useRead } from '../../../server-data/use-read.ts';
import { useShownRun } from '../../run/use-shown-run.ts';
import { type ThoughtRow, thoughtRows } from './thought-rows.ts';

/** Pages that one request for older thoughts loads at most: thoughts of other runs are not shown. */
const maxPagesAtOnce = 10;

export type Thoughts = Pick<RemoteData<Thought[]>, 'problem' | 'again'> & {
  rows: ThoughtRow[];
  /** Loads older ones; null if there are none. */
  loadOlder: (() => void) | null;
  loadingOlder: boolean;
};

/** The agents' thoughts, loaded again after each step or command, older ones on request. R46.01 */
export function useThoughts(): Thoughts {
  const projectId = useWorkspace((state) => state.project?.id ?? null);
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const { steps } = useShownRun();
  const agents = useWorkspace((state) => state.agents.byId);
  const ended = steps.filter(({ status }) => status !== 'pending' && status !== 'running').length;
  const command = useWorkspace((state) => state.commandLine.waiting?.since ?? '');
  const { value, problem, again } = useRead(
    'thought.ofProject',
    projectId === null ? null : { params: { id: projectId }, query: { limit: thoughtsPerPage, offset: 0 } },
    { when: `${executionId} ${ended} ${command}` },
  );
  const [pages, setPages] = useState<ThoughtPages>(noThoughts);
  const newest = useRef<readonly Thought[] | null>(null);
  useEffect(() => {
    // Null between two projects: thoughts of one must not be shown in the other.
    setPages((before) => (value ? withNewest(newest.current ? before : noThoughts, value) : noThoughts));
    newest.current = value;
  }, [value]);
  const older = useOlder(projectId, pages, setPages, (thoughts) => thoughtRows(thoughts, executionId, steps, agents).length);
  const rows = useMemo(() => thoughtRows(pages.thoughts, executionId, steps, agents), [pages, executionId, steps, agents]);
  const loadOlder = pages.whole || pages.thoughts.length === 0 ? null : older.load;
  return { rows, problem: older.problem ?? problem, again: older.problem ? older.load : again, loadOlder, loadingOlder: older.loading };
}

/** Loads page after page until one has something to show. */
function useOlder(
  projectId: string | null,
  pages: ThoughtPages,
  setPages: (change: (before: ThoughtPages) => ThoughtPages) => void,
  shown: (thoughts: readonly Thought[]) => number,
) {
  const call = useCall();
  const [loading, setLoading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const load = async () => {
    if (loading || projectId === null) return;
    setLoading(true);
    setProblem(null);
    let known = pages;
    for (let asked = 0; asked < maxPagesAtOnce && !known.whole; asked += 1) {
      const answer = await call('thought.ofProject', {
        params: { id: projectId },
        query: { limit: thoughtsPerPage, offset: known.thoughts.length },
      });
      if (!answer.ok) setProblem(answer.error);
      if (!answer.ok) break;
      const page = answer.value;
      known = withOlder(known, page);
      setPages((before) => withOlder(before, page));
      if (shown(page) > 0) break;
    }
    setLoading(false);
  };
  return { load: () => void load(), loading, problem };
}

/** The loaded thoughts of a project without gaps, newest first; `whole` when there are no older ones. */
type ThoughtPages = { thoughts: readonly Thought[]; whole: boolean };

export const noThoughts: ThoughtPages = { thoughts: [], whole: false };

/** Merges the newest page. When more thoughts have arrived than a page holds, the older ones are dropped. */
export function withNewest({ thoughts, whole }: ThoughtPages, page: readonly Thought[]): ThoughtPages {
  const ids = new Set(page.map(({ id }) => id));
  const before = thoughts.filter(({ id }) => !ids.has(id));
  const meets = before.length < thoughts.length;
  if (meets) return { thoughts: [...page, ...before], whole };
  return { thoughts: page, whole: page.length < thoughtsPerPage };
}

/** Adds the next older page, without thoughts that have moved into it meanwhile. */
export function withOlder({ thoughts }: ThoughtPages, page: readonly Thought[]): ThoughtPages {
  const ids = new Set(thoughts.map(({ id }) => id));
  return { thoughts: [...thoughts, ...page.filter(({ id }) => !ids.has(id))], whole: page.length < thoughtsPerPage };
}
