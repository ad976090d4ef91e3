import { moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export const agentThoughts = pgTable('agent_thoughts', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  agentId: uuid('agent_id').notNull(),
  projectId: uuid('project_id'),
  executionId: uuid('execution_id'),
  stepId: uuid('step_id'),
  content: text('content').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});
