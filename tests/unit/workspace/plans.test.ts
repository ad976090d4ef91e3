import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resetAfterClosing } from '../../../src/app/workspace/modals/plan-modal.tsx';
import { addAgentPlans, buyAgentPlans, featuredPlan, savedPercent } from '../../../src/app/workspace/modals/plans.ts';

describe('plans', () => {
  test('W3.09 a new agent comes alone for $10, with five more for $20 instead of $60, or with two more for $17 instead of $30', () => {
    const offered = addAgentPlans.map(({ id, agents, price, offer }) => [
      id,
      agents,
      price,
      ...(offer?.kind === 'was' ? [offer.price, savedPercent(price, offer.price)] : []),
    ]);
    expect(offered).toEqual([
      ['starter', 1, 10],
      ['growth', 6, 20, 60, 67],
      ['team', 3, 17, 30, 43],
    ]);
    expect(featuredPlan(addAgentPlans)).toBe('growth');
  });

  test('W3.09 one more agent costs $10, and two cost $15, which saves $5', () => {
    expect(buyAgentPlans.map(({ id, agents, price, offer }) => [id, agents, price, offer])).toEqual([
      ['single', 1, 10, null],
      ['double', 2, 15, { kind: 'saves', amount: 5 }],
    ]);
    expect(featuredPlan(buyAgentPlans)).toBe('double');
  });

  test('W3.09 the crossed-out price of a plan is the price of its agents one by one', () => {
    const [single] = buyAgentPlans;
    for (const { agents, price, offer } of [...addAgentPlans, ...buyAgentPlans]) {
      if (offer) expect(offer.kind === 'was' ? offer.price : price + offer.amount).toBe(agents * (single?.price ?? 0));
    }
  });
});

describe('a window that closes', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('W2.19 the plan window is reset 300 ms after it was closed, once', () => {
    const reset = vi.fn<() => void>();
    const opened = resetAfterClosing(reset);
    vi.advanceTimersByTime(299);
    expect(reset).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(reset).toHaveBeenCalledTimes(1);
    opened();
    expect(reset).toHaveBeenCalledTimes(1);
  });

  test('W2.19 the plan window is reset at once when it is opened sooner', () => {
    const reset = vi.fn<() => void>();
    const opened = resetAfterClosing(reset);
    vi.advanceTimersByTime(100);
    opened();
    vi.advanceTimersByTime(1_000);
    expect(reset).toHaveBeenCalledTimes(1);
  });
});
