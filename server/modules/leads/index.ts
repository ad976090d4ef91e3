/** The public interface of the leads module. */
export { leadHandlers } from './handlers.ts';
export { createLeads } from './service.ts';
export { leadComments, leads } from './tables.ts';
