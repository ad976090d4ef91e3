import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { PullRequest } from '../../../../../contract/executions/file.ts';
import { demoFiles, diffOfNewFile } from './demo-files.ts';
import { demoFilesOf } from './demo-files-of.ts';
import type { DemoTexts } from './demo-texts.ts';

/** Returns the changes of the ended steps to the shop: new files. */
export function demoPullRequest(steps: readonly StepRun[], texts: DemoTexts): PullRequest {
  const paths = demoFilesOf(steps).map(({ path }) => path);
  const files = paths.map((path) => {
    const additions = demoFiles[path]?.content.trimEnd().split('\n').length ?? 0;
    return { path, change: 'added' as const, additions, deletions: 0 };
  });
  const { title, description } = texts.pullRequest;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  return { title, description, diff: paths.map(diffOfNewFile).join(''), files, additions, deletions: 0, simulated: paths.length > 0 };
}
