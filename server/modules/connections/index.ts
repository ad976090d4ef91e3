/** The public interface of the module of connections: servers of models that are entered once, and that agents choose. */
export { lastFour } from './connection-secrets.ts';
export { type CallRow, type ConnectionSettings, callColumns, settingsOfConnection, settingsOfOperator } from './connection-settings.ts';
export { createConnections } from './create-connections.ts';
export { connectionHandlers } from './handlers.ts';
export { createListedModel } from './listed-model.ts';
export { modelHost } from './model-host.ts';
export { type OperatorConnection, operatorConnections, operatorIds } from './operator-connections.ts';
export { connectionRepository } from './repository.ts';
export { connections } from './tables.ts';
