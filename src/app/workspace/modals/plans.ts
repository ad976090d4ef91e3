/** A number of agents at a price. Money in US dollars. */
export type Plan = {
  id: 'starter' | 'growth' | 'team' | 'single' | 'double';
  agents: number;
  price: number;
  /** The earlier price, or the discount against single agents. */
  offer: { kind: 'was'; price: number } | { kind: 'saves'; amount: number } | null;
  /** The highlighted plan, which is selected at first. */
  featured: boolean;
};

/** The plans for new agents. W3.09 */
export const addAgentPlans: readonly Plan[] = [
  { id: 'starter', agents: 1, price: 10, offer: null, featured: false },
  { id: 'growth', agents: 6, price: 20, offer: { kind: 'was', price: 60 }, featured: true },
  { id: 'team', agents: 3, price: 17, offer: { kind: 'was', price: 30 }, featured: false },
];

/** The plans for one more agent of a role. W3.09 */
export const buyAgentPlans: readonly Plan[] = [
  { id: 'single', agents: 1, price: 10, offer: null, featured: false },
  { id: 'double', agents: 2, price: 15, offer: { kind: 'saves', amount: 5 }, featured: true },
];

/** Returns the discount in whole per cent. */
export function savedPercent(price: number, was: number): number {
  return Math.round((1 - price / was) * 100);
}

export function featuredPlan(plans: readonly Plan[]): Plan['id'] | null {
  return plans.find(({ featured }) => featured)?.id ?? null;
}
