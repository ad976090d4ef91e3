import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDesk, type Ticket } from '../../../server/modules/commands/desk.ts';

const limits = { mostRunning: 4, mostOfAgent: 2, mostWaiting: 3, mostFollowing: 1, mostOfAccount: 6 };
let count = 0;
const ticket = (agentId: string, userId = agentId): Ticket => {
  count += 1;
  return { id: `${agentId}-${count}`, agentId, userId };
};

describe('what one server takes on', () => {
  test('W3.08 of one agent so many run at once, and the next one begins when one has ended', () => {
    const desk = createDesk(limits);
    const [one, two, three] = [ticket('a'), ticket('a'), ticket('a')];
    expect([one, two, three].map((each) => desk.admit(each).runs)).toEqual([true, true, false]);
    expect(desk.next()).toBeNull();
    desk.enqueue(three);
    expect(desk.next()).toBeNull();
    desk.leave(one);
    expect(desk.next()).toBe(three);
    expect(desk.queue()).toEqual({ underWay: 2, waiting: 0 });
  });

  test('W3.08 agents take turns when the whole server is full', () => {
    const desk = createDesk({ ...limits, mostWaiting: 10 });
    const first = [ticket('a'), ticket('a'), ticket('b'), ticket('b')];
    for (const each of first) desk.admit(each);
    const waiting = [ticket('a'), ticket('a'), ticket('c')];
    for (const each of waiting) {
      desk.admit(each);
      desk.enqueue(each);
    }
    for (const each of first) desk.leave(each);
    expect([desk.next(), desk.next(), desk.next()]).toEqual([waiting[0], waiting[2], waiting[1]]);
  });

  test('W3.08 an agent whose limit other servers have taken waits, in its place, until it is looked at again', () => {
    const desk = createDesk(limits);
    const [one, two] = [ticket('a'), ticket('a')];
    desk.admit(one);
    desk.admit(two);
    desk.putBack(two);
    desk.putBack(one);
    expect(desk.next()).toBeNull();
    expect(desk.admit(ticket('a')).runs).toBe(false);
    desk.unblock();
    expect([desk.next(), desk.next()]).toEqual([one, two]);
  });

  test('W7.03 more than fit are sent away: in all, of one account, and of those that follow a step', () => {
    const desk = createDesk(limits);
    const many = Array.from({ length: 8 }, (_, index) => desk.admit(ticket('a', `user-${index}`)).admission);
    expect(many).toEqual([...Array(5).fill('in'), ...Array(3).fill('full')]);
    const greedy = createDesk(limits);
    expect(Array.from({ length: 7 }, (_, index) => greedy.admit(ticket(`a${index}`, 'one')).admission).at(-1)).toBe('account_full');
    expect([greedy.admitFollower(ticket('x')), greedy.admitFollower(ticket('y'))]).toEqual(['in', 'full']);
  });
});

test('W7.03 however commands come and go, no limit is passed, nobody is forgotten, and an empty desk has no trace of anybody', () => {
  const step = fc.record({
    agent: fc.constantFrom('a', 'b', 'c'),
    user: fc.constantFrom('x', 'y'),
    act: fc.constantFrom('in', 'up', 'next', 'back', 'out'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const desk = createDesk({ ...limits, mostOfAccount: 50 });
      const running = new Set<Ticket>();
      const waiting = new Set<Ticket>();
      for (const { agent, user, act } of steps) {
        const one = ticket(agent, user);
        if (act === 'in') {
          const { admission, runs } = desk.admit(one);
          if (admission === 'in') (runs ? running : waiting).add(one);
          if (!runs) desk.enqueue(one);
        } else if (act === 'up') {
          desk.takeUp(one, false);
          waiting.add(one);
        } else if (act === 'next') {
          const next = desk.next();
          if (next) expect(waiting.delete(next)).toBe(true);
          if (next) running.add(next);
        } else if (act === 'back') {
          for (const last of [...running].slice(-1)) {
            desk.putBack(last);
            running.delete(last);
            waiting.add(last);
          }
          desk.unblock();
        } else {
          for (const first of [...running, ...waiting].slice(0, 1)) {
            desk.leave(first);
            running.delete(first);
            waiting.delete(first);
          }
        }
        expect(desk.queue()).toEqual({ underWay: running.size, waiting: waiting.size });
        expect(running.size).toBeLessThanOrEqual(limits.mostRunning);
        for (const agentId of ['a', 'b', 'c']) expect(desk.runningOf(agentId)).toBeLessThanOrEqual(limits.mostOfAgent);
      }
      for (const each of [...running]) desk.leave(each);
      for (let next = desk.next(); next; next = desk.next()) {
        waiting.delete(next);
        desk.leave(next);
      }
      expect([waiting.size, desk.queue()]).toEqual([0, { underWay: 0, waiting: 0 }]);
    }),
  );
});
