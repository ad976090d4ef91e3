export { createSocketSessions, type SocketSessions } from './socket-sessions.ts';
export { type RealtimeDeps, registerRealtime } from './sockets.ts';
