/**
 * How much of an amount a test plays: `few` in `npm test`, `some` (about a tenth) in `npm run test:rest`, `whole` in `npm run test:nightly`.
 * `TEST_AMOUNTS` says it.
 */
const names = ['few', 'some', 'whole'] as const;
type Amounts = (typeof names)[number];

const given = process.env.TEST_AMOUNTS || 'some';
const isAmounts = (word: string): word is Amounts => (names as readonly string[]).includes(word);
if (!isAmounts(given)) throw new Error(`TEST_AMOUNTS is ${given}: it can be ${names.join(', ')}.`);
const amounts = given;

/** Returns the value for the amounts of this run. Those of `some` are also those of `few`, unless it has its own. */
export function amountOf<T>({ few, some, whole }: { few?: T; some: T; whole: T }): T {
  if (amounts === 'whole') return whole;
  return amounts === 'few' ? (few ?? some) : some;
}

/**
 * Returns at most so many of the items, at equal distances and always the same ones; all of them in a whole run. The last item is one of
 * them: of writes, it is the commit.
 */
export function sampleOf<T>(all: readonly T[], counts: { few?: number; some: number }): T[] {
  const count = Math.min(all.length, amountOf({ ...counts, whole: all.length }));
  return Array.from({ length: count }, (_, at) => all[Math.ceil(((at + 1) * all.length) / count) - 1] as T);
}

/** A time limit (ms) of a test that plays more in a whole run. */
export const limitOf = (ms: number): number => amountOf({ some: ms, whole: 20 * ms });
