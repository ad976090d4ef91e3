export { budgetHandlers } from './handlers.ts';
export { type CallMeter, type Metering, createCallMeter } from './call-meter.ts';
export { type BudgetRow, hasBudget, raiseLimit, setServerBudget, settleLostCalls, storingBudget } from './repository.ts';
export { type Budgets, createBudgets } from './service.ts';
export { createSpendLedger } from './spend-ledger.ts';
export { type SpendRow, storingSpend } from './spend-row.ts';
export { createReadStepSettings, type ReadStepSettings, selectStepSettings, toStepSettings } from './read-step-settings.ts';
