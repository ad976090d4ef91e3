export { type CallMeter, createCallMeter, type Metering } from './call-meter.ts';
export { collectSpent } from './collect-spent.ts';
export { budgetHandlers } from './handlers.ts';
export { isSpent, KeyBudgets, type ShownKeyBudget, toKeyBudget } from './key-budgets.ts';
export { createSingleCallMeter } from './meter-single-call.ts';
export {
  createReadStepLimits,
  createReadStepSettings,
  type ProjectSettings,
  pipelineProjectSettings,
  type ReadStepLimits,
  type ReadStepSettings,
  type RoomOfProject,
  type StepSettings,
  selectStepSettings,
  toProjectSettings,
  toStepSettings,
} from './read-step-settings.ts';
export {
  type BudgetRow,
  hasBudget,
  isStillReached,
  loseCallsOfAccount,
  raiseLimit,
  removeOldSpend,
  setServerBudgets,
  settleLostCalls,
  storingBudget,
} from './repository.ts';
export { type Budgets, createBudgets, refuseCurrency } from './service.ts';
export { createSpendLedger } from './spend-ledger.ts';
export { type SpendRow, storingSpend } from './spend-row.ts';
