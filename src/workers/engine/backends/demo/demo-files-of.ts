import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { ExecutionFile } from '../../../../../contract/executions/file.ts';
import { demoFiles } from './demo-files.ts';
import { demoScript } from './demo-script.ts';
import { demoAgentId } from './demo-team.ts';

/** The files of the steps that have ended. */
export function demoFilesOf(steps: readonly StepRun[]): ExecutionFile[] {
  return steps.flatMap(({ stepId, status, orderIndex, name, agentId, role, completedAt, result }) => {
    const line = demoScript.find(({ agent }) => demoAgentId(agent) === agentId);
    if (status !== 'completed' || !line) return [];
    const paths = line.files.filter((path) => result?.includes(` path=${path}\n`));
    return paths.map((path) => ({
      ...{ path, size: demoFiles[path]?.content.length ?? 0, language: demoFiles[path]?.language ?? null, stepId, stepName: name },
      ...{ orderIndex, agentId, agentTitle: name, role, simulated: true, versions: 1, hasPrevious: false, createdAt: completedAt ?? '' },
    }));
  });
}
