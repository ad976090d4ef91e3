import type { OperationDocs } from './operation.ts';

export const accountOperations: OperationDocs<'account'> = {
  'account.exportLink': {
    summary: 'Get a link to an export of the account',
    description:
      'Returns the path of one ZIP with everything that the account has stored, without keys. It works within 60 seconds, while the session is open, and once: each node of the server takes it once. An account may ask for 10 links an hour, also while it is being deleted.',
    example: { response: { path: '/api/account/export?token=eyJhbGciOiJIUzI1NiJ9.…', expiresInSeconds: 60 } },
  },
  'account.export': {
    summary: 'Download an export',
    description:
      'Streams the ZIP of a link. It holds projects, canvases, named versions, agents, pipelines, runs, files, thoughts, costs and settings, and a `README.txt` that says where each is. One download of an account runs at a time (429).',
    example: { query: { token: 'eyJhbGciOiJIUzI1NiJ9.…' } },
  },
  'account.delete': {
    summary: 'Delete the account',
    description:
      'Needs the current password (400; an account may try 10 times in 15 minutes). Ends every other session, stops the runs and locks the account: other calls answer 403 with `account_leaving`. It can be taken back for 24 hours, and then everything is removed.',
    example: { body: { currentPassword: 'correct horse battery' }, response: { deletionDueAt: '2026-01-16T09:00:00.000Z' } },
  },
  'account.takeBack': {
    summary: 'Take the account back',
    description: 'Ends the deletion of the account before its time is over. An account that is not being deleted stays as it is.',
    example: {},
  },
};
