/** The face of the agents module. */
export { contextFor } from './context-for.ts';
export { agentHandlers } from './handlers.ts';
export { heldAgents, speakingAgents } from './repository.ts';
export { AgentService, type AgentVoice } from './service.ts';
export { agentRelationships, agents } from './tables.ts';
export { type AgentWork, joinWork, statisticsOf, type WorkCounts } from './work.ts';
