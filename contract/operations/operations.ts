import type { RouteName, Routes } from '../routes.ts';
import { accountOperations } from './account.ts';
import { agentOperations } from './agent.ts';
import { exampleOf, type OperationExample } from './example-of.ts';
import { executionOperations } from './execution.ts';
import { hookOperations } from './hook.ts';
import { modelConnectionOperations } from './model-connection.ts';
import type { Example, OperationDoc } from './operation.ts';
import { operatorOperations } from './operator.ts';
import { pipelineOperations } from './pipeline.ts';
import { projectOperations } from './project.ts';
import { releasedTeamOperations } from './released-team.ts';

const docs: { readonly [Name in RouteName]: OperationDoc<Routes[Name]> } = {
  ...accountOperations,
  ...agentOperations,
  ...executionOperations,
  ...hookOperations,
  ...modelConnectionOperations,
  ...operatorOperations,
  ...pipelineOperations,
  ...projectOperations,
  ...releasedTeamOperations,
};

type Operations = { readonly [Name in RouteName]: { summary: string; description: string; example: Example<Routes[Name]> } };

/** The documentation of every operation of the API, in the words of its users. */
export const operations = Object.fromEntries(
  Object.entries<OperationDoc>(docs).map(([name, [summary, description, given]]) => [
    name,
    { summary, description, example: exampleOf(name as RouteName, given as OperationExample | undefined) },
  ]),
) as Operations;
