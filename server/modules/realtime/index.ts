/** The face of the realtime module. */
export { type RealtimeDeps, registerRealtime, userSocketPath } from './sockets.ts';
