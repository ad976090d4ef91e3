import type { ConnectionProblem, ConnectionTest, ModelConnection } from '../../../contract/model-connection.ts';
import { integer, jsonb, moment, pgTable, text, uuid } from '../../platform/database/drizzle.ts';
import type { ToldPrices } from '../../platform/llm/choose-model.ts';
import type { ListedModel } from '../../platform/model-lists/listed-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

/** A problem as it is stored: its sentence is made for each reader. */
export type StoredProblem = { reason: ConnectionProblem; detail: string };
export type StoredTest = Omit<ConnectionTest, 'problem'> & { problem: StoredProblem | null };

export const connections = pgTable('connections', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id'),
  name: text('name').notNull(),
  provider: text('provider').$type<ModelConnection['provider']>().notNull(),
  address: text('address'),
  folderId: text('folder_id'),
  keySealed: text('key_sealed'),
  keyLast4: text('key_last4'),
  keyHost: text('key_host'),
  headerNames: jsonb('header_names').$type<string[]>().notNull().default([]),
  headersSealed: text('headers_sealed'),
  extraBody: jsonb('extra_body').$type<Record<string, unknown>>(),
  defaultModel: text('default_model'),
  models: jsonb('models').$type<ListedModel[]>(),
  /** What the list tells of the prices of models that agents use, or have used, by the models' names. */
  toldPrices: jsonb('told_prices').$type<ToldPrices>(),
  modelsLeftOut: integer('models_left_out').notNull().default(0),
  modelsAt: moment('models_at'),
  /** The reason, a space, and what the server has said. */
  modelsProblem: text('models_problem'),
  tested: jsonb('tested').$type<StoredTest>(),
  checkedAt: moment('checked_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
