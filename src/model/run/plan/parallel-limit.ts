import { parallelByBranches, parallelSteps } from '../../../../contract/executions/parallel-steps.ts';
import type { Project } from '../../../../contract/project.ts';
import type { FoundLink } from './run-links.ts';

/** Returns a project's setting of its runs: a number of steps, or that each run decides; undefined for a project from before that setting. */
export function parallelSettingOf(project: Pick<Project, 'parallelSteps' | 'branchesTogether'> | null): number | undefined {
  return project?.branchesTogether ? parallelByBranches : project?.parallelSteps;
}

/** Returns how many steps of a run work at the same time, by the project's setting. Canvases from before that setting have none: one. */
export function parallelLimit(setting: number | undefined, hasBranches: boolean): number {
  if (setting === parallelByBranches) return hasBranches ? parallelSteps : 1;
  return setting ?? 1;
}

/**
 * Whether parts of a run can work at the same time: a card hands its result to two others, or links begin at two cards. Alternatives are no
 * branches, and neither are a review loop and cards that no link orders. `found`: the links of the run with those of what it begins with.
 */
export function hasBranches(found: readonly FoundLink[]): boolean {
  const forward = found.map(({ link }) => link).filter(({ maxRounds }) => maxRounds === undefined);
  const targets = new Map<string, string>();
  for (const { from, to, label, test, onFailure } of forward) {
    // Two links of one answer are taken together; those of different answers are alternatives.
    const answer = JSON.stringify([from, label, test, onFailure]);
    const known = targets.get(answer);
    if (known !== undefined && known !== to) return true;
    targets.set(answer, to);
  }
  const entered = new Set(forward.map(({ to }) => to));
  return new Set(forward.flatMap(({ from }) => (entered.has(from) ? [] : from))).size > 1;
}
