import type { OperationDocs } from './operation.ts';

/** An account: signing in, its keys, its export and what it stores. */
export const accountOperations: OperationDocs<'auth' | 'account' | 'apiKey' | 'storage'> = {
  'auth.config': [
    'Get the rules for sign-up and sessions',
    'Returns whether sign-up is open, the password rule, the lifetime of an access token and whether the server offers WebSockets and has a runner. No account is needed.',
    { response: { passwordRule: { minLength: 10, maxLength: 128 }, accessTokenMinutes: 60 } },
  ],
  'auth.register': [
    'Create an account',
    'Creates an account with its first project and agents, starts a session and sends a verification email. Fails with 403 when sign-up is closed, with 409 when the email is taken and with 422 when the password is weak. One address may try 100 times an hour.',
    { body: { name: 'Ada' } },
  ],
  'auth.login': [
    'Sign in',
    'Starts a session and returns an access token and a refresh token. Fails with 401 for a wrong email or password, with the same body for both. Failed attempts are counted by address, by account and by the pair of both.',
  ],
  'auth.refresh': [
    'Exchange a refresh token',
    'Returns a new access token and a new refresh token. A repeated call within 60 seconds returns the same refresh token. Later use of a token whose successor was used ends the session with 401.',
    { response: { refreshToken: 'bmV4dCByZWZyZXNoIHRva2Vu…', user: {} } },
  ],
  'auth.logout': [
    'End the session',
    'Ends the session of the refresh token in the body. A token that is unknown or missing is no error.',
    { body: { refreshToken: 'd2hhdCBhIHJlZnJlc2ggdG9rZW4…' } },
  ],
  'auth.profile': ['Get the account of the caller', 'Returns the account that the access token belongs to.'],
  'auth.updateProfile': [
    'Change name, email or language',
    'Changes the fields that the body holds. A new email needs `currentPassword` (400 when it is wrong) and must not belong to another account (409). The server sends a verification email to the new address.',
    { body: { name: 'Ada Lovelace', language: 'en' } },
  ],
  'auth.changePassword': [
    'Change the password',
    'Sets a new password and ends every other session of the account. Fails with 400 when the current password is wrong and with 422 when the new one is weak. An account may try 10 times in 15 minutes.',
  ],
  'auth.socketTicket': [
    'Get a ticket that opens one WebSocket',
    'Returns a ticket that opens one WebSocket within 30 seconds, on any node. An account may ask for 3,000 tickets a minute.',
    { response: { ticket: 'Zm9yIG9uZSBzb2NrZXQ', expiresInSeconds: 30 } },
  ],
  'auth.forgotPassword': [
    'Send a password reset email',
    'Sends an email with a reset link if an account has this email. The response is the same for an unknown email. One email may be asked for 5 times in 30 minutes.',
  ],
  'auth.resetPassword': [
    'Set a new password with a reset token',
    'Sets a new password and ends every session of the account. The token of the email works once, for 30 minutes. Fails with 422 when the password is weak.',
  ],
  'auth.verifyEmail': [
    'Verify an email address',
    'Marks the email of the account as verified. The token of the email works once, for 24 hours, and only for that address.',
  ],
  'auth.sendVerification': [
    'Send the verification email again',
    'Sends another verification email to the caller. Does nothing when the email is verified. An account may ask 5 times in 30 minutes.',
  ],
  'account.exportLink': [
    'Get a link to an export of the account',
    'Returns the path of one ZIP with everything that the account has stored, without keys. It works within 60 seconds, while the session is open, and once: each node of the server takes it once. An account may ask for 10 links an hour, also while it is being deleted.',
    { response: { path: '/api/account/export?token=eyJhbGciOiJIUzI1NiJ9.…', expiresInSeconds: 60 } },
  ],
  'account.export': [
    'Download an export',
    'Streams the ZIP of a link. It holds projects, canvases, named versions, agents, pipelines, runs, files, thoughts, costs and settings, and a `README.txt` that says where each is. One download of an account runs at a time (429).',
  ],
  'account.delete': [
    'Delete the account',
    'Needs the current password (400; an account may try 10 times in 15 minutes). Ends every other session, stops the runs and locks the account: other calls answer 403 with `account_leaving`. It can be taken back for 24 hours, and then everything is removed.',
    { response: { deletionDueAt: '2026-01-16T09:00:00.000Z' } },
  ],
  'account.takeBack': [
    'Take the account back',
    'Ends the deletion of the account before its time is over. An account that is not being deleted stays as it is.',
  ],
  'apiKey.list': [
    'List API keys',
    'Returns the keys of the account, newest first, with the time and address of their last call. Revoked ones stay for 90 days.',
  ],
  'apiKey.runs': [
    'List the last runs of an API key',
    'Returns the last 20 runs that the key has started, newest first, with the address that the call came from.',
  ],
  'apiKey.create': [
    'Create an API key',
    'Returns the whole key once; an account may have 20 keys (409). A key reaches one project, or all of them when `projectId` is null. Its `budget` limits the calls of models in the runs and commands that it starts.',
    { response: { key: 'art_5kQ2mV8sT1yB4nX7cJ0pR3wZ6gL9dF2hK5aE8uM1' } },
  ],
  'apiKey.revoke': ['Revoke an API key', 'From then on every node refuses the key (401). A key that is revoked already stays so.'],
  'storage.get': [
    'Read what the account stores',
    'Returns the bytes that the account stores, by kind, the largest first, with its limits. Files and texts count with their whole length, records with their stored size. A write that does not fit gets `quota_reached`; `state` is `near` from 80 % of the limit on, and `full` at it.',
    {
      response: {
        usedBytes: 325_058_560,
        limitBytes: 2_147_483_648,
        eventsKeptDays: 365,
        kinds: [{ kind: 'inputs', bytes: 209_715_200 }, { bytes: 115_343_360 }],
        projects: { count: 3, limit: 500 },
        pipelines: { count: 41, limit: 10_000 },
      },
    },
  ],
  'storage.free': [
    'Remove old runs or unused pipelines',
    'Removes the runs of the caller that ended more than `olderThanDays` days ago, with their files, or the pipelines that no run uses. At most 1,000 runs are removed by one call: repeat it while it removes some.',
    { query: { olderThanDays: 30 }, response: { removed: 128 } },
  ],
};
