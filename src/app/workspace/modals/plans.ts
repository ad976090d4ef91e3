/** A number of agents at a price. Money in US dollars. */
export type Plan = {
  id: 'starter' | 'growth' | 'team' | 'single' | 'double';
  agents: number;
  price: number;
  /** What it cost before, or how much less it costs than its agents one by one. */
  offer: { kind: 'was'; price: number } | { kind: 'saves'; amount: number } | null;
  /** The one that is set apart, and chosen at first. */
  featured: boolean;
};

/** What is offered for a new agent. W3.09 */
export const addAgentPlans: readonly Plan[] = [
  { id: 'starter', agents: 1, price: 10, offer: null, featured: false },
  { id: 'growth', agents: 6, price: 20, offer: { kind: 'was', price: 60 }, featured: true },
  { id: 'team', agents: 3, price: 17, offer: { kind: 'was', price: 30 }, featured: false },
];

/** What is offered for one more agent of a role. W3.09 */
export const buyAgentPlans: readonly Plan[] = [
  { id: 'single', agents: 1, price: 10, offer: null, featured: false },
  { id: 'double', agents: 2, price: 15, offer: { kind: 'saves', amount: 5 }, featured: true },
];

/** How much less a plan costs than it did, in whole per cent. */
export function savedPercent(price: number, was: number): number {
  return Math.round((1 - price / was) * 100);
}

export function featuredPlan(plans: readonly Plan[]): Plan['id'] | null {
  return plans.find(({ featured }) => featured)?.id ?? null;
}
