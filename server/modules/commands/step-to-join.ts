import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { StepPlace, StepReads } from '../executions/index.ts';
import type { CommandRepository } from './repository.ts';

type StepToJoinDeps = { stepsOf: StepReads['stepsOf']; repository: Pick<CommandRepository, 'joinedSteps'> };

/** The execution and the step that a command asks to join. */
type Joining = { executionId: string; stepId: string | null; nodeId: string | null };

/**
 * Returns the step that a command joins: the named one, else the agent's first step without a command, else its
 * last. Throws `not_found` for an execution that is not the user's, and `bad_request` for one without such a step.
 */
export function createStepToJoin({ stepsOf, repository }: StepToJoinDeps) {
  return async (userId: string, agentId: string, joining: Joining, language: Language): Promise<StepPlace> => {
    const { executionId, stepId, nodeId } = joining;
    const steps = await stepsOf(userId, executionId, agentId);
    if (steps === null) throw new ApiError('not_found');
    const named = steps.filter((step) => (stepId === null || step.stepId === stepId) && (nodeId === null || step.nodeId === nodeId));
    const joined = named.length > 1 ? await repository.joinedSteps(userId, executionId) : new Set<string>();
    const chosen = named.find((step) => !joined.has(step.stepId)) ?? named.at(-1);
    if (!chosen) {
      throw new ApiError('bad_request', {
        errors: [{ path: 'parameters.executionId', message: translate(language, 'field.no_step_of_agent') }],
      });
    }
    return { executionId, stepId: chosen.stepId };
  };
}

export type StepToJoin = ReturnType<typeof createStepToJoin>;
