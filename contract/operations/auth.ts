import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleSession, sampleTimes, sampleUser } from './samples.ts';

const profile = {
  ...sampleUser,
  createdAt: sampleTimes.created,
  updatedAt: sampleTimes.created,
  emailVerified: true,
  isStaff: false,
} as const;

export const authOperations: OperationDocs<'auth'> = {
  'auth.config': {
    summary: 'Get the rules for sign-up and sessions',
    description:
      'Returns whether sign-up is open, the password rule, the lifetime of an access token and whether the server offers WebSockets and has a runner. No account is needed.',
    example: {
      response: {
        registration: 'open',
        passwordRule: { minLength: 10, maxLength: 128 },
        accessTokenMinutes: 60,
        realtime: 'auto',
        runner: false,
      },
    },
  },
  'auth.register': {
    summary: 'Create an account',
    description:
      'Creates an account with its first project and agents, starts a session and sends a verification email. Fails with 403 when sign-up is closed, with 409 when the email is taken and with 422 when the password is weak. One address may try 100 times an hour.',
    example: { body: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }, response: sampleSession },
  },
  'auth.login': {
    summary: 'Sign in',
    description:
      'Starts a session and returns an access token and a refresh token. Fails with 401 for a wrong email or password, with the same body for both. Failed attempts are counted by address, by account and by the pair of both.',
    example: { body: { email: 'ada@example.com', password: 'correct horse battery' }, response: sampleSession },
  },
  'auth.refresh': {
    summary: 'Exchange a refresh token',
    description:
      'Returns a new access token and a new refresh token. A repeated call within 60 seconds returns the same refresh token. Later use of a token whose successor was used ends the session with 401.',
    example: { body: { refreshToken: sampleSession.refreshToken }, response: sampleSession },
  },
  'auth.logout': {
    summary: 'End the session',
    description: 'Ends the session of the refresh token in the body. A token that is unknown or missing is no error.',
    example: { body: { refreshToken: sampleSession.refreshToken } },
  },
  'auth.profile': {
    summary: 'Get the account of the caller',
    description: 'Returns the account that the access token belongs to.',
    example: { response: profile },
  },
  'auth.updateProfile': {
    summary: 'Change name, email or language',
    description:
      'Changes the fields that the body holds. A new email needs `currentPassword` (400 when it is wrong) and must not belong to another account (409). The server sends a verification email to the new address.',
    example: { body: { name: 'Ada Lovelace', language: 'en' }, response: { ...profile, name: 'Ada Lovelace' } },
  },
  'auth.changePassword': {
    summary: 'Change the password',
    description:
      'Sets a new password and ends every other session of the account. Fails with 400 when the current password is wrong and with 422 when the new one is weak. An account may try 10 times in 15 minutes.',
    example: { body: { currentPassword: 'correct horse battery', newPassword: 'staple under the moon' } },
  },
  'auth.socketTicket': {
    summary: 'Get a ticket that opens one WebSocket',
    description: 'Returns a ticket that opens one WebSocket within 30 seconds, on any node. An account may ask for 3,000 tickets a minute.',
    example: { response: { ticket: 'Zm9yIG9uZSBzb2NrZXQ', expiresInSeconds: 30 } },
  },
  'auth.forgotPassword': {
    summary: 'Send a password reset email',
    description:
      'Sends an email with a reset link if an account has this email. The response is the same for an unknown email. One email may be asked for 5 times in 30 minutes.',
    example: { body: { email: 'ada@example.com' } },
  },
  'auth.resetPassword': {
    summary: 'Set a new password with a reset token',
    description:
      'Sets a new password and ends every session of the account. The token of the email works once, for 30 minutes. Fails with 422 when the password is weak.',
    example: { body: { token: 'cmVzZXQgdG9rZW4', newPassword: 'staple under the moon' } },
  },
  'auth.verifyEmail': {
    summary: 'Verify an email address',
    description: 'Marks the email of the account as verified. The token of the email works once, for 24 hours, and only for that address.',
    example: { body: { token: 'dmVyaWZ5IHRva2Vu' } },
  },
  'auth.sendVerification': {
    summary: 'Send the verification email again',
    description:
      'Sends another verification email to the caller. Does nothing when the email is verified. An account may ask 5 times in 30 minutes.',
    example: {},
  },
};

export const healthOperations: OperationDocs<'health'> = {
  'health.get': {
    summary: 'Get the state of the server',
    description:
      'Returns the state of the server, its database and its event bus, without an account. The status is `unavailable` while the database cannot be reached. An embedded database is then `recovering` after a crash or `restarting`, any other is `down`.',
    example: {
      response: { status: 'ok', version: '0.1.0', uptimeSeconds: 3_600, database: 'up', bus: { mode: 'embedded', connected: true } },
    },
  },
};

export const deadLetterOperations: OperationDocs<'deadLetter'> = {
  'deadLetter.list': {
    summary: 'List work that failed every attempt',
    description: 'Returns executions and commands whose last attempt failed, newest first. Staff only. Texts of users are not included.',
    example: {
      query: { limit: 20 },
      response: [
        {
          id: sampleIds.deadLetter,
          kind: 'execution',
          workId: sampleIds.execution,
          email: 'ada@example.com',
          projectName: 'Shop',
          stepsDone: 1,
          stepsTotal: 3,
          reason: 'The worker stopped five times.',
          diedAt: sampleTimes.completed,
        },
      ],
    },
  },
  'deadLetter.retry': {
    summary: 'Retry work that failed every attempt',
    description:
      'Queues the execution or command again; an execution goes on from the step that failed. Staff only. Fails with 409 when the work was removed or has ended since.',
    example: { params: { id: sampleIds.deadLetter }, response: { kind: 'execution', workId: sampleIds.execution } },
  },
  'deadLetter.remove': {
    summary: 'Remove an entry without a retry',
    description: 'Removes the entry from the list. Staff only. The execution or command stays as it is.',
    example: { params: { id: sampleIds.deadLetter } },
  },
};
