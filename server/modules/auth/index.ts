/** The public functions of the auth module. */

export { createClientRecognition } from './client-recognition.ts';
export { authHandlers } from './handlers.ts';
export { makePasswordHashing, type PasswordHashing } from './password-hashing.ts';
export { type AuthDependencies, AuthService } from './service.ts';
export { emailVerifications, passwordResets, refreshTokens, sessions, users } from './tables.ts';
