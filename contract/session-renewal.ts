/** How often the page exchanges the tokens of a living session (ms). In a file of its own: the landing page reads it, without the schemas. */
export const refreshEveryMs = 3_000_000;
