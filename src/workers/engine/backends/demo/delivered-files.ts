import { strToU8, type Zippable, zipSync } from 'fflate';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { ExecutionFile, PullRequest } from '../../../../../contract/executions/file.ts';
import { hasResult } from '../../../../../rules/run-graph/step-count.ts';
import { demoFiles, languageOf } from './demo-files.ts';

const newFile = { change: 'added', from: null, similarity: null, executable: null, isBinary: false } as const;

/** The files of the steps that have a result, also one that a fork has kept. */
export function filesOf(steps: readonly StepRun[]): ExecutionFile[] {
  return steps.flatMap(({ stepId, status, orderIndex, name, agentId, role, completedAt, result }) => {
    const delivered = Object.entries(demoFiles).filter(([path]) => hasResult(status) && result?.includes(` path=${path}\n`));
    return delivered.map(([path, content]) => ({
      ...newFile,
      path,
      size: content.length,
      language: languageOf(path),
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
export function archiveOf(steps: readonly StepRun[]): Uint8Array<ArrayBuffer> {
  const archive: Zippable = {};
  for (const { path, createdAt } of filesOf(steps)) archive[path] = [strToU8(demoFiles[path] ?? ''), { mtime: createdAt }];
  return zipSync(archive);
}

/** Returns the changes of the ended steps to the shop: new files. */
export function pullRequestOf(steps: readonly StepRun[], texts: { title: string; description: string }): PullRequest {
  const delivered = filesOf(steps).map(({ path }) => ({ path, lines: (demoFiles[path] ?? '').trimEnd().split('\n') }));
  const files = delivered.map(({ path, lines }) => ({ path, ...newFile, additions: lines.length, deletions: 0 }));
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  return { ...texts, diff: delivered.map(diffOf).join(''), files, additions, deletions: 0, simulated: files.length > 0 };
}

/** A new file as a unified diff. */
function diffOf({ path, lines }: { path: string; lines: readonly string[] }): string {
  const head = [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
  ];
  return `${[...head, ...lines.map((line) => `+${line}`)].join('\n')}\n`;
}
