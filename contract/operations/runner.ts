import type { RunnerState } from '../runner.ts';
import type { OperationDocs } from './operation.ts';

const local = { sandbox: 'bubblewrap', network: false } as const;
const connected: RunnerState = { connected: 'local', mayConnect: true, local };

export const runnerOperations: OperationDocs<'runner'> = {
  'runner.get': {
    summary: 'Tell which runner executes tests',
    description:
      'Returns the runner of this server, and one of this machine that the caller may connect. Only a server that this machine alone reaches offers one, to its staff and to requests of this machine.',
    example: { response: { connected: null, mayConnect: true, local } },
  },
  'runner.connect': {
    summary: 'Use the runner of this machine',
    description:
      'Connects the runner that `npm run runner` has started on this machine with the same data folder. Staff only. Fails with `not_found` where none answers, and with `forbidden` on a server that others reach.',
    example: { response: connected },
  },
  'runner.disconnect': {
    summary: 'Use the runner of this machine no longer',
    description: 'The test commands of projects stay, and are not executed. Staff only. A runner of the settings cannot be disconnected.',
    example: {},
  },
};
