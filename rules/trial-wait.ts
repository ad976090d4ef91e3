/** How long a run with which a step was tried waits for a choice (ms): then the server stops it, and no page shows it again. */
export const maxTrialWaitMs = 24 * 60 * 60 * 1_000;
