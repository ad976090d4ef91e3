/** The public interface of the agents module. */
export { thinAgentChanges } from './change-repository.ts';
export { contextFor } from './context-for.ts';
export { agentHandlers } from './handlers.ts';
export type { AgentModelConfig } from './model-config.ts';
export { newAgentModel } from './new-agent-model.ts';
export { lockAgents, selectModelConfigs } from './repository.ts';
export { AgentService } from './service.ts';
export { agentRelationships, agents } from './tables.ts';
export { type AgentWork, statisticsOf, type WorkCounts } from './work-counts.ts';
