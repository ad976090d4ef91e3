import { describe, expect, test } from 'vitest';
import { beamAt, reachedSteps, travelOn } from '../../../src/landing/how-it-works/beam-timing.ts';

describe('the beam on a wide screen', () => {
  test('P2.07 the beam on a wide screen takes 9000 ms along the four steps', () => {
    expect([0, 2_250, 4_500, 8_999].map((ms) => Math.round(beamAt(ms, false) * 100) / 100)).toEqual([0, 1, 2, 4]);
  });

  test('P2.07 the beam on a wide screen rests 600 ms at the end, pauses 50 ms at the start, then starts again', () => {
    expect([9_000, 9_599, 9_600, 9_649].map((ms) => beamAt(ms, false))).toEqual([4, 4, 0, 0]);
    expect(beamAt(9_650 + 2_250, false)).toBeCloseTo(1);
  });
});

describe('the beam below 768 px', () => {
  test('P2.07 the beam below 768 px takes 2.5 seconds longer', () => {
    expect(beamAt(11_500 / 2, true)).toBeCloseTo(2);
  });

  test('P2.07 the beam below 768 px restarts after 2 s', () => {
    expect([11_500, 13_499, 13_500, 13_549].map((ms) => beamAt(ms, true))).toEqual([4, 4, 0, 0]);
    expect(beamAt(13_550 + 2_875, true)).toBeCloseTo(1);
  });
});

test('P2.07 a step is reached when the beam comes to its stop, the first from the start', () => {
  expect([0, 0.99, 1, 2.5, 3, 4].map(reachedSteps)).toEqual([1, 1, 2, 3, 4, 4]);
});

test('P2.07 time while the beam is out of view does not count, and the beam continues from its former place', () => {
  const away = travelOn(travelOn({ elapsed: 0, seenAt: 1_000 }, 3_250, true), 60_000, false);
  expect(beamAt(away.elapsed, false)).toBe(1);
  expect(beamAt(travelOn(away, 62_250, true).elapsed, false)).toBe(2);
});
