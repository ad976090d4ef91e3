/** The public functions of the realtime module. */
export { socketLimits } from './socket-limits.ts';
export { registerRealtime, userSocketPath } from './sockets.ts';
