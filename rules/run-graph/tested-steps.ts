import type { LinkSettings } from '../../contract/executions/run-graph.ts';
import { isTestResult, mayFollowLabel } from './choose-links.ts';

/** Returns the steps whose links test executed tests, and have no label for when there are none. */
export function testedSteps(links: readonly (Pick<LinkSettings, 'label' | 'test'> & { from: string })[]): string[] {
  return [...new Set(links.filter((link) => isTestResult(link.test) && !mayFollowLabel(link)).map(({ from }) => from))];
}
