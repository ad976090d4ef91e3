/** The public functions of the auth module. */
export { authHandlers } from './handlers.ts';
export { createKnownPlaces } from './known-places.ts';
export { makePasswordHashing } from './password-hashing.ts';
export { type AuthDependencies, AuthService } from './service.ts';
export { emailVerifications, passwordResets, refreshTokens, sessions, users } from './tables.ts';
