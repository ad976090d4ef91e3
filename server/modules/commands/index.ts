/** The public functions of the commands module. */
export { type Commands, createCommands } from './commands.ts';
export { removeJoinedCommands } from './remove-joined-commands.ts';
export { agentCommands } from './tables.ts';
export { lastCommandAt, workInCommands } from './work-in-commands.ts';
