/** The longest duration of a connection with its first answer, and of one call; and the longest silence of a server (ms). */
export const usualMs = 60_000;
/** The longest duration of a call whose server says that it goes on with it (ms). */
export const maxProgressMs = 10 * 60_000;
