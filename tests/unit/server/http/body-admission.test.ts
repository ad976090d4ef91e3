import { expect, test } from 'vitest';
import { BodyAdmission } from '../../../../server/http/bodies/body-admission.ts';

const largest = 16 * 1024 * 1024;

/** A caller at its own address, or at a shared one. */
const from = (id: string, address = id) => ({ id, address });

test('R19.01 one caller has two of the largest bodies in flight, and others still have theirs', () => {
  const admission = new BodyAdmission();
  const first = admission.admit(from('ann'), largest);
  admission.admit(from('ann'), largest);
  expect(() => admission.admit(from('ann'), largest)).toThrow(expect.objectContaining({ code: 'too_many_bodies', status: 429 }));
  admission.admit(from('bob'), largest);
  first.release();
  first.release();
  admission.admit(from('ann'), largest);
  expect(() => admission.admit(from('ann'), largest)).toThrow();
});

test('R19.01 bodies are bounded by their number too', () => {
  const admission = new BodyAdmission();
  for (let count = 0; count < 64; count += 1) admission.admit(from('ann'), 1);
  expect(() => admission.admit(from('ann'), 1)).toThrow(expect.objectContaining({ code: 'too_many_bodies' }));
});

test('R19.01 the accounts of one address leave room for others', () => {
  const admission = new BodyAdmission();
  for (let account = 0; account < 12; account += 1) admission.admit(from(`account ${account}`, 'one place'), largest);
  expect(() => admission.admit(from('account 12', 'one place'), largest)).toThrow(expect.objectContaining({ code: 'too_many_bodies' }));
  admission.admit(from('ann'), largest);
});

test('R19.01 all callers together have sixteen of the largest bodies in flight', () => {
  const admission = new BodyAdmission();
  const leases = Array.from({ length: 16 }, (_, caller) => admission.admit(from(`caller ${caller}`), largest));
  const refused = expect.objectContaining({ code: 'busy', status: 503, options: { retryAfterSeconds: 2 } });
  expect(() => admission.admit(from('late'), largest)).toThrow(refused);
  leases[3]?.release();
  admission.admit(from('late'), largest);
});

test('R19.01 two large bodies are worked on at a time, in the order of their arrival, and an ended request leaves the queue', async () => {
  const admission = new BodyAdmission();
  const leases = Array.from({ length: 5 }, (_, caller) => admission.admit(from(`caller ${caller}`), largest));
  const begun: number[] = [];
  for (const [index, lease] of leases.entries()) void lease.takeTurn().then(() => begun.push(index));
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  leases[2]?.release();
  leases[0]?.release();
  await Promise.resolve();
  expect(begun.filter((index) => index !== 2)).toEqual([0, 1, 3]);
  leases[1]?.release();
  leases[3]?.release();
  await Promise.resolve();
  expect(begun.filter((index) => index !== 2)).toEqual([0, 1, 3, 4]);
});
