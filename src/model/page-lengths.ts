/** The number of thoughts in a page. W9.02 */
export const thoughtsPerPage = 50;

/** The most runs in the history and in a search result; older ones are found by a search only. */
export const maxHistoryLength = 200;
