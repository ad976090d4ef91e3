import type { OperationDocs } from './operation.ts';

const mebibyte = 1024 * 1024;

export const storageOperations: OperationDocs<'storage'> = {
  'storage.get': {
    summary: 'Read what the account stores',
    description:
      'Returns the bytes that the account stores, by kind, the largest first, with its limits. Files and texts count with their whole length, records with their stored size. A write that does not fit gets `quota_reached`; `state` is `near` from 80 % of the limit on, and `full` at it.',
    example: {
      response: {
        usedBytes: 310 * mebibyte,
        limitBytes: 2_048 * mebibyte,
        state: 'calm',
        eventsKeptDays: 365,
        kinds: [
          { kind: 'inputs', bytes: 200 * mebibyte },
          { kind: 'runs', bytes: 110 * mebibyte },
        ],
        projects: { count: 3, limit: 500 },
        pipelines: { count: 41, limit: 10_000 },
      },
    },
  },
  'storage.free': {
    summary: 'Remove old runs or unused pipelines',
    description:
      'Removes the runs of the caller that ended more than `olderThanDays` days ago, with their files, or the pipelines that no run uses. At most 1,000 runs are removed by one call: repeat it while it removes some.',
    example: { params: { kind: 'runs' }, query: { olderThanDays: 30 }, response: { removed: 128 } },
  },
};
