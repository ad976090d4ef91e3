import { useMemo } from 'react';
import type { Thought } from '../../../../../contract/executions/thought.ts';
import type { Call } from '../../../../model/call.ts';
import { thoughtsPerPage } from '../../../../model/page-lengths.ts';
import type { Outcome } from '../../../../model/problem.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { usePages } from '../../../server-data/use-pages.ts';
import type { RemoteData } from '../../../server-data/use-read.ts';
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
  const isShown = (thoughts: readonly Thought[]) => thoughtRows(thoughts, executionId, steps, agents).length > 0;
  const { value, problem, again, adding, more } = usePages('thought.ofProject', projectId, {
    page: (call, known: ThoughtPages | null) => readThoughts(call, projectId ?? '', known, isShown),
    join: (known: ThoughtPages | null, pages, after) =>
      after ? pages.reduce(withOlder, known ?? noThoughts) : withNewest(known ?? noThoughts, pages[0] ?? []),
    when: `${executionId} ${ended} ${command}`,
  });
  const pages = value ?? noThoughts;
  const rows = useMemo(() => thoughtRows(pages.thoughts, executionId, steps, agents), [pages, executionId, steps, agents]);
  const loadOlder = pages.whole || pages.thoughts.length === 0 ? null : () => adding === null && more(pages);
  return { rows, problem, again, loadOlder, loadingOlder: adding !== null };
}

/** Reads the newest thoughts; or those older than what is known, page after page until one has something to show. */
async function readThoughts(
  call: Call,
  id: string,
  known: ThoughtPages | null,
  isShown: (thoughts: readonly Thought[]) => boolean,
): Promise<Outcome<readonly Thought[][]>> {
  const read: Thought[][] = [];
  let pages = known ?? noThoughts;
  do {
    const answer = await call('thought.ofProject', { params: { id }, query: { limit: thoughtsPerPage, offset: pages.thoughts.length } });
    // What has been read is kept: the next request goes on from there.
    if (!answer.ok) return read.length > 0 ? { ok: true, value: read } : answer;
    read.push(answer.value);
    pages = withOlder(pages, answer.value);
  } while (known && read.length < maxPagesAtOnce && !pages.whole && !isShown(read.at(-1) ?? []));
  return { ok: true, value: read };
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
