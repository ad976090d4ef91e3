import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach } from 'vitest';
import { createSpendLedger } from '../../server/modules/budgets/index.ts';
import type { Reservation, SpendLedger } from '../../server/modules/budgets/spend-ledger.ts';
import { createPreparedStatements } from '../../server/platform/database/prepared-statements.ts';
import { asOwner } from '../../server/platform/owner-id.ts';
import { awayFromMidnight } from './away-from-midnight.ts';
import { setUpDatabase } from './set-up/for-vitest.ts';

type Limits = { micros?: number; currency?: string; tokens?: number; calls?: number; active_ms?: number; at_limit?: string };

/** The ledgers of two nodes on one database, and a new user for each test. */
export function setUpSpend() {
  const database = setUpDatabase();
  const spend = { ledger: null as unknown as SpendLedger, other: null as unknown as SpendLedger, user: asOwner('') };
  beforeAll(async () => {
    spend.ledger = createSpendLedger(createPreparedStatements(database.pool));
    spend.other = createSpendLedger(createPreparedStatements(database.work.pool));
  });
  beforeEach(async () => {
    await awayFromMidnight();
    spend.user = asOwner(randomUUID());
    await database.pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'A', 'none')`, [
      spend.user,
      `${spend.user}@example.com`,
    ]);
  });

  const budget = async (span: 'day' | 'month', limits: Limits): Promise<string> => {
    const row = { id: randomUUID(), scope: 'user', user_id: spend.user, span, at_limit: 'ask', ...limits };
    const names = Object.keys(row);
    const places = names.map((_, at) => `$${at + 1}`).join(', ');
    await database.pool.query(`INSERT INTO budgets (${names.join(', ')}) VALUES (${places})`, Object.values(row));
    return row.id;
  };

  const used = async (id: string) => {
    const { rows } = await database.pool.query('SELECT micros::float, tokens::float, calls::float FROM budget_uses WHERE budget_id = $1', [
      id,
    ]);
    return rows[0] as { micros: number; tokens: number; calls: number } | undefined;
  };
  const call = (more: Partial<Reservation> & { tokens?: number; micros?: number } = {}): Reservation => {
    const { tokens = 10, micros = 0, ...rest } = more;
    return {
      ...{
        id: randomUUID(),
        payer: { userId: spend.user, projectId: null, step: null },
        provider: 'openai',
        model: 'm',
        usesOperatorKey: false,
      },
      usage: { promptTokens: tokens, completionTokens: 0, totalTokens: tokens },
      cost: { amounts: micros === 0 ? [] : [{ currency: 'USD', micros }] },
      least: { usage: { promptTokens: 1, completionTokens: 0, totalTokens: 1 }, cost: { amounts: [] } },
      ...{ unpricedAllowed: false, turn: 0, ...rest },
    };
  };
  return Object.assign(spend, { database, budget, call, used });
}
