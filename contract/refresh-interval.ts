/** The interval at which the page refreshes the tokens of a session (ms). A separate file, so that the landing page loads no schemas. */
export const refreshEveryMs = 3_000_000;
