/**
 * The status that the owner has set. A canvas offers active and busy agents. Only active ones get delegated work.
 * The server never changes it: whether an agent works now is derived from its executions and commands.
 */
export const agentStatuses = { inactive: 0, active: 1, busy: 2 } as const;
