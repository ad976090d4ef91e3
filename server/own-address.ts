/** The port of a server that is told none. */
export const defaultPort = 5_001;
