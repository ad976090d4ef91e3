import type { RouteName } from '../routes.ts';
import { accountOperations } from './account.ts';
import { agentOperations } from './agent.ts';
import { apiKeyOperations } from './api-key.ts';
import { authOperations, deadLetterOperations, healthOperations } from './auth.ts';
import { budgetOperations } from './budget.ts';
import { commandOperations } from './command.ts';
import { executionOperations } from './execution.ts';
import { executionFileOperations } from './execution-files.ts';
import { hookOperations } from './hook.ts';
import { inputOperations } from './input.ts';
import { leadOperations } from './lead.ts';
import { modelConnectionOperations } from './model-connection.ts';
import type { OperationDoc } from './operation.ts';
import { pipelineOperations } from './pipeline.ts';
import { projectOperations } from './project.ts';
import { pushOperations } from './push.ts';
import { questionLinkOperations, questionOperations } from './question.ts';
import { releasedTeamOperations, teamOperations } from './released-team.ts';
import { resultOperations } from './result.ts';
import { runnerOperations } from './runner.ts';
import { storageOperations } from './storage.ts';
import { teamVersionOperations } from './team-version.ts';
import { telegramOperations } from './telegram.ts';
import { thoughtOperations } from './thought.ts';
import { toolServerOperations } from './tool-server.ts';
import { triggerOperations } from './trigger.ts';

/** An example without the types of its route, for code that handles all routes alike. */
export type OperationExample = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown; response?: unknown };

/** The documentation of every operation of the API, in the words of its users. */
export const operations: Record<RouteName, Omit<OperationDoc, 'example'> & { example: OperationExample }> = {
  ...healthOperations,
  ...authOperations,
  ...accountOperations,
  ...apiKeyOperations,
  ...hookOperations,
  ...telegramOperations,
  ...pushOperations,
  ...triggerOperations,
  ...leadOperations,
  ...deadLetterOperations,
  ...projectOperations,
  ...teamVersionOperations,
  ...budgetOperations,
  ...agentOperations,
  ...commandOperations,
  ...thoughtOperations,
  ...pipelineOperations,
  ...executionOperations,
  ...executionFileOperations,
  ...toolServerOperations,
  ...modelConnectionOperations,
  ...inputOperations,
  ...questionOperations,
  ...questionLinkOperations,
  ...releasedTeamOperations,
  ...teamOperations,
  ...resultOperations,
  ...runnerOperations,
  ...storageOperations,
};
