/** The face of the onboarding module. */
export { furnishAccount } from './furnish-account.ts';
