import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const key = {
  id: '0197b3c8-7e34-7a19-9d4e-2f6a1c5b8e90',
  name: 'Nightly build',
  prefix: 'art_5kQ2',
  scopes: ['read', 'run'] as ('read' | 'run')[],
  projectId: null,
  budget: null,
  createdAt: '2026-01-15T09:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  lastUsedFrom: null,
  revokedAt: null,
};

export const apiKeyOperations: OperationDocs<'apiKey'> = {
  'apiKey.list': {
    summary: 'List API keys',
    description:
      'Returns the keys of the account, newest first, with the time and address of their last call. Revoked ones stay for 90 days.',
    example: { response: [key] },
  },
  'apiKey.runs': {
    summary: 'List the last runs of an API key',
    description: 'Returns the last 20 runs that the key has started, newest first, with the address that the call came from.',
    example: {
      params: { id: key.id },
      response: [
        {
          runId: sampleIds.execution,
          projectId: sampleIds.project,
          title: 'Release notes',
          status: 'completed',
          from: '203.0.113.7',
          at: sampleTimes.started,
        },
      ],
    },
  },
  'apiKey.create': {
    summary: 'Create an API key',
    description:
      'Returns the whole key once; an account may have 20 keys (409). A key reaches one project, or all of them when `projectId` is null. Its `budget` limits the calls of models in the runs and commands that it starts.',
    example: {
      body: { name: 'Nightly build', scopes: ['read', 'run'], projectId: null, budget: null, expiresInDays: null },
      response: { ...key, key: 'art_5kQ2mV8sT1yB4nX7cJ0pR3wZ6gL9dF2hK5aE8uM1' },
    },
  },
  'apiKey.revoke': {
    summary: 'Revoke an API key',
    description: 'From then on every node refuses the key (401). A key that is revoked already stays so.',
    example: { params: { id: key.id } },
  },
};
