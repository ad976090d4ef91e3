/** CSS px of a line of code. */
export const lineHeight = 22;

/** Characters of a line that are shown; nobody reads further, and browsers stumble over it. */
export const longestLine = 2_000;
