import type { Budgets } from '../../budgets/index.ts';
import { type CommandDeps, CommandTaker } from './command-taker.ts';
import { ForgeClock, type ForgeClockDeps } from './forge-clock.ts';
import { type ResultDeps, ResultTaker } from './result-taker.ts';

export type ForgesDeps = Omit<ForgeClockDeps, 'results' | 'commands'> &
  Omit<ResultDeps, 'threads'> &
  Omit<CommandDeps, 'threads' | 'setBudget'> & { runBudgets: Pick<Budgets, 'list' | 'put'> };

/** Creates what reads the repositories of triggers. */
export function createForges(deps: ForgesDeps): ForgeClock {
  const { runBudgets } = deps;
  const setBudget: CommandDeps['setBudget'] = async (userId, executionId, micros, language) => {
    const { budgets, currencies } = await runBudgets.list(userId, { executionId });
    const own = budgets.find(({ scope }) => scope === 'run');
    const limited = own?.money ?? budgets.find(({ money }) => money !== undefined)?.money;
    const currency = limited?.currency ?? currencies[0] ?? 'USD';
    const { tokens, calls, activeMs, atLimit = 'ask', warnAt = 80 } = own ?? {};
    const money = { micros, currency };
    await runBudgets.put(userId, { scope: 'run', span: 'run', executionId, money, tokens, calls, activeMs, atLimit, warnAt }, language);
    return currency;
  };
  const results = new ResultTaker(deps);
  const commands = new CommandTaker({ ...deps, setBudget });
  return new ForgeClock({ ...deps, results, commands });
}
