import type { OperationDocs } from './operation.ts';

/** What the operator of a server and its staff need. */
export const operatorOperations: OperationDocs<'health' | 'lead' | 'deadLetter' | 'runner'> = {
  'health.get': [
    'Get the state of the server',
    'Returns the state of the server, its database and its event bus, without an account. The status is `unavailable` while the database cannot be reached. An embedded database is then `recovering` after a crash or `restarting`, any other is `down`.',
    { response: { version: '0.1.0', commit: '3f2a9c41d0b7e58a6c1f4d2e9b8a70536c4d1e2f', uptimeSeconds: 3_600 } },
  ],
  'health.version': [
    'Tell which version runs',
    'Returns the version of the server, and a newer release with the page of its notes where the server knows of one. It looks at most once a day, when a person asks.',
    {
      response: {
        version: '0.1.0',
        commit: '3f2a9c41d0b7e58a6c1f4d2e9b8a70536c4d1e2f',
        newer: { version: '0.2.0', notes: 'https://github.com/example/artel/releases/tag/v0.2.0' },
      },
    },
  ],
  'lead.create': [
    'Request a demo',
    'Stores a demo request. No account is needed, and `consent` must be true. One email may send 5 requests an hour, one address 30.',
  ],
  'lead.list': ['List demo requests', 'Returns all demo requests, newest first. Staff only.'],
  'lead.get': ['Get a demo request', 'Returns one demo request. Staff only.'],
  'lead.update': [
    'Change a demo request',
    'Changes the fields that the body holds; all others stay. Staff only. The status has its own operation.',
    { body: { priority: 'high' } },
  ],
  'lead.remove': ['Delete a demo request', 'Deletes a demo request and its comments. Staff only.'],
  'lead.byStatus': [
    'List demo requests by status',
    'Returns the demo requests with one status. Staff only. The status is a name in any case, or its index from 0.',
  ],
  'lead.bySource': ['List demo requests by source', 'Returns the demo requests from one source, for example `landing`. Staff only.'],
  'lead.byPriority': [
    'List demo requests by priority',
    'Returns the demo requests with one priority. Staff only. The priority is a name in any case, or its index from 0.',
  ],
  'lead.byDate': [
    'List demo requests by date',
    'Returns the demo requests between two dates, both included. Staff only. A day without a time stands for the whole day in UTC.',
    { query: { startDate: '2026-01-01', endDate: '2026-01-31' } },
  ],
  'lead.setStatus': ['Set the status of a demo request', 'Sets the status. Staff only.', { body: { status: 'contacted' } }],
  'lead.addComment': ['Add a comment to a demo request', 'Adds a comment of at most 2,000 characters. Staff only.'],
  'lead.comments': ['List the comments on a demo request', 'Returns the comments, oldest first. Staff only.'],
  'deadLetter.list': [
    'List work that failed every attempt',
    'Returns executions and commands whose last attempt failed, newest first. Staff only. Texts of users are not included.',
  ],
  'deadLetter.retry': [
    'Retry work that failed every attempt',
    'Queues the execution or command again; an execution goes on from the step that failed. Staff only. Fails with 409 when the work was removed or has ended since.',
  ],
  'deadLetter.remove': [
    'Remove an entry without a retry',
    'Removes the entry from the list. Staff only. The execution or command stays as it is.',
  ],
  'runner.get': [
    'Tell which runner executes tests',
    'Returns the runner of this server, and one of this machine that the caller may connect. Only a server that this machine alone reaches offers one, to its staff and to requests of this machine.',
  ],
  'runner.connect': [
    'Use the runner of this machine',
    'Connects the runner that `npm run runner` has started on this machine with the same data folder. Staff only. Fails with `not_found` where none answers, and with `forbidden` on a server that others reach.',
    { response: { connected: 'local' } },
  ],
  'runner.disconnect': [
    'Use the runner of this machine no longer',
    'The test commands of projects stay, and are not executed. Staff only. A runner of the settings cannot be disconnected.',
  ],
};
