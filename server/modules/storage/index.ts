/** The public functions of the storage module. */
export { AccountStorage } from './account-storage.ts';
export { countInTurn } from './count-in-turn.ts';
export { storageHandlers } from './handlers.ts';
export { countReached } from './quota-reached.ts';
