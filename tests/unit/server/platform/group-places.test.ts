import { expect, test } from 'vitest';
import { GroupPlaces } from '../../../../server/platform/work-queue/pg-boss/group-places.ts';

/** Places after a first fetch that found nothing. */
function placesOf(maxAtOnce: number, maxPerGroup: number) {
  const places = new GroupPlaces({ maxAtOnce, maxPerGroup });
  places.fetchIsOver(places.waitingGroups);
  return places;
}

test('R23.01 no new job is begun before the first fetch, since older jobs may wait', () => {
  const places = new GroupPlaces({ maxAtOnce: 5, maxPerGroup: 2 });
  expect(places.tryTake('one')).toBe(false);
  expect(places.mayAnyWait).toBe(true);
  places.fetchIsOver(places.waitingGroups);
  expect(places.tryTake('one')).toBe(true);
  expect(places.mayAnyWait).toBe(false);
});

test('R23.01 a group takes as many places as it has, and another group is not affected', () => {
  const places = placesOf(5, 2);
  expect([places.tryTake('one'), places.tryTake('one'), places.tryTake('one')]).toEqual([true, true, false]);
  expect(places.tryTake('other')).toBe(true);
  expect(places.free).toBe(2);
});

test('R23.01 a new job does not overtake a waiting one of its group when a place becomes free', () => {
  const places = placesOf(5, 1);
  places.tryTake('one');
  expect(places.tryTake('one')).toBe(false);
  places.remove('one');
  expect(places.mayAnyWait).toBe(true);
  expect(places.tryTake('one')).toBe(false);
  places.fetchIsOver(places.waitingGroups);
  expect(places.tryTake('one')).toBe(true);
});

test('R23.01 a job that was refused a place during a fetch is looked for by the next one', () => {
  const places = placesOf(5, 1);
  const lookedFor = places.waitingGroups;
  places.tryTake('one');
  places.tryTake('one');
  places.remove('one');
  places.fetchIsOver(lookedFor);
  expect(places.tryTake('one')).toBe(false);
});

test('R23.01 a fetched job is not begun if a new job has taken the place meanwhile', () => {
  const places = placesOf(5, 1);
  expect(places.tryTake('one')).toBe(true);
  expect(places.tryAdd('one')).toBe(false);
  expect(places.tryAdd('other')).toBe(true);
});

test('R23.01 nothing is taken while all places are taken, and the process looks for jobs when one ends', () => {
  const places = placesOf(1, 1);
  places.tryTake('one');
  expect(places.tryTake('other')).toBe(false);
  places.fetchIsOver(null);
  places.remove('one');
  expect(places.mayAnyWait).toBe(true);
  expect(places.tryTake('other')).toBe(false);
});
