/** The ready patterns, in the order in which they are offered. */
export const patternIds = ['review', 'choice', 'forEach', 'person', 'parallel'] as const;
export type PatternId = (typeof patternIds)[number];
