import { strToU8, type Zippable, zipSync } from 'fflate';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { ExecutionFile, PullRequest } from '../../../../../contract/executions/file.ts';
import { hasResult } from '../../../../../rules/run-graph/step-count.ts';
import { demoFiles, diffOfNewFile } from './demo-files.ts';
import { demoScript } from './demo-script.ts';
import { demoAgentId } from './demo-team.ts';
import type { DemoTexts } from './demo-texts.ts';

const newFile = { change: 'added', from: null, similarity: null, executable: null, isBinary: false } as const;

/** The files of the steps that have a result, also one that a fork has kept. */
export function demoFilesOf(steps: readonly StepRun[]): ExecutionFile[] {
  return steps.flatMap(({ stepId, status, orderIndex, name, agentId, role, completedAt, result }) => {
    const line = demoScript.find(({ agent }) => demoAgentId(agent) === agentId);
    if (!hasResult(status) || !line) return [];
    const paths = line.files.filter((path) => result?.includes(` path=${path}\n`));
    return paths.map((path) => ({
      ...newFile,
      path,
      size: demoFiles[path]?.content.length ?? 0,
      language: demoFiles[path]?.language ?? null,
      stepId,
      stepName: name,
      orderIndex,
      agentId,
      agentTitle: name,
      role,
      simulated: true,
      versions: 1,
      hasPrevious: false,
      createdAt: completedAt ?? '',
    }));
  });
}

/** The files as a ZIP, made in the browser: no server is called. R42 */
export function demoArchive(files: readonly ExecutionFile[]): Uint8Array {
  const archive: Zippable = {};
  for (const { path, createdAt } of files) archive[path] = [strToU8(demoFiles[path]?.content ?? ''), { mtime: createdAt }];
  return zipSync(archive);
}

/** Returns the changes of the ended steps to the shop: new files. */
export function demoPullRequest(steps: readonly StepRun[], texts: DemoTexts): PullRequest {
  const paths = demoFilesOf(steps).map(({ path }) => path);
  const files = paths.map((path) => {
    const additions = demoFiles[path]?.content.trimEnd().split('\n').length ?? 0;
    return { path, ...newFile, additions, deletions: 0 };
  });
  const { title, description } = texts.pullRequest;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  return { title, description, diff: paths.map(diffOfNewFile).join(''), files, additions, deletions: 0, simulated: paths.length > 0 };
}
