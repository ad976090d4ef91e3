/** The public interface of the agents module. */
export { contextFor } from './context-for.ts';
export { agentHandlers } from './handlers.ts';
export { heldAgents, selectModelConfigs } from './repository.ts';
export { type AgentModelConfig, AgentService } from './service.ts';
export { agentRelationships, agents } from './tables.ts';
export { type AgentWork, joinWork, statisticsOf, type WorkCounts } from './work.ts';
