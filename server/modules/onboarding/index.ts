/** The public interface of the onboarding module. */
export { seedAccount } from './seed-account.ts';
