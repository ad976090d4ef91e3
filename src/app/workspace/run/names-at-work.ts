import type { StepRun } from '../../../../contract/executions/execution.ts';

/** The names of cards at work that are read out; more would be longer than their work. */
const namesRead = 4;

/** The cards at work: the first ones by name, the others by their number. A card that works on several items is one name. */
export function namesAtWork(steps: readonly StepRun[]): string {
  const names = [...new Set(steps.flatMap((step) => (step.status === 'running' ? step.name : [])))];
  return [...names.slice(0, namesRead), ...(names.length > namesRead ? [`+${names.length - namesRead}`] : [])].join(', ');
}
