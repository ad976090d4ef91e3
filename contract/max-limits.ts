/** The largest figure of each limit: a billion of a currency, of tokens a trillion, a million calls, a year. */
export const maxLimits = { micros: 1_000_000_000_000_000, tokens: 1_000_000_000_000, calls: 1_000_000, activeMs: 31_536_000_000 } as const;
