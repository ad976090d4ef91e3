/** The public functions of the commands module. */
export { agentWork } from './agent-work.ts';
export { createCommands } from './commands.ts';
export { lastCommandAt, removeJoinedCommands } from './repository.ts';
export { agentCommands } from './tables.ts';
