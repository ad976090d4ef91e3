/** The public functions of the realtime module. */
export { socketLimits } from './socket-limits.ts';
export { type RealtimeDeps, registerRealtime, userSocketPath } from './sockets.ts';
