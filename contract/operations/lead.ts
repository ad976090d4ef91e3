import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleLead, sampleTimes } from './samples.ts';

const id = sampleIds.lead;
const comment = { id: sampleIds.comment, authorId: sampleIds.user, text: 'Call on Monday.', createdAt: sampleTimes.started };

export const leadOperations: OperationDocs<'lead'> = {
  'lead.create': {
    summary: 'Request a demo',
    description:
      'Stores a demo request. No account is needed, and `consent` must be true. One email may send 5 requests an hour, one address 30.',
    example: {
      body: {
        name: 'Grace',
        email: 'grace@example.com',
        company: 'Example Ltd',
        role: 'CTO',
        comment: 'We are a team of twelve.',
        consent: true,
      },
      response: sampleLead,
    },
  },
  'lead.list': {
    summary: 'List demo requests',
    description: 'Returns all demo requests, newest first. Staff only.',
    example: { query: { limit: 20 }, response: [sampleLead] },
  },
  'lead.get': {
    summary: 'Get a demo request',
    description: 'Returns one demo request. Staff only.',
    example: { params: { id }, response: sampleLead },
  },
  'lead.update': {
    summary: 'Change a demo request',
    description: 'Changes the fields that the body holds; all others stay. Staff only. The status has its own operation.',
    example: { params: { id }, body: { priority: 'high' }, response: { ...sampleLead, priority: 'high' } },
  },
  'lead.remove': {
    summary: 'Delete a demo request',
    description: 'Deletes a demo request and its comments. Staff only.',
    example: { params: { id } },
  },
  'lead.byStatus': {
    summary: 'List demo requests by status',
    description: 'Returns the demo requests with one status. Staff only. The status is a name in any case, or its index from 0.',
    example: { params: { status: 'new' }, response: [sampleLead] },
  },
  'lead.bySource': {
    summary: 'List demo requests by source',
    description: 'Returns the demo requests from one source, for example `landing`. Staff only.',
    example: { params: { source: 'landing' }, response: [sampleLead] },
  },
  'lead.byPriority': {
    summary: 'List demo requests by priority',
    description: 'Returns the demo requests with one priority. Staff only. The priority is a name in any case, or its index from 0.',
    example: { params: { priority: 'normal' }, response: [sampleLead] },
  },
  'lead.byDate': {
    summary: 'List demo requests by date',
    description:
      'Returns the demo requests between two dates, both included. Staff only. A day without a time stands for the whole day in UTC.',
    example: { query: { startDate: '2026-01-01', endDate: '2026-01-31' }, response: [sampleLead] },
  },
  'lead.setStatus': {
    summary: 'Set the status of a demo request',
    description: 'Sets the status. Staff only.',
    example: { params: { id }, body: { status: 'contacted' }, response: { ...sampleLead, status: 'contacted' } },
  },
  'lead.addComment': {
    summary: 'Add a comment to a demo request',
    description: 'Adds a comment of at most 2,000 characters. Staff only.',
    example: { params: { id }, body: { text: 'Call on Monday.' }, response: comment },
  },
  'lead.comments': {
    summary: 'List the comments on a demo request',
    description: 'Returns the comments, oldest first. Staff only.',
    example: { params: { id }, response: [comment] },
  },
};
