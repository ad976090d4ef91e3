import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Lifetime } from '../../../src/workers/bridge/workspace-bridge.ts';

test('a lifetime passes on answers and refusals until its end, and gives null from then on', async () => {
  const life = new Lifetime();
  expect(await life.within(Promise.resolve('answer'))).toBe('answer');
  await expect(life.within(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const waiting = life.within(new Promise<string>(() => {}));
  life.end();
  expect(await waiting).toBeNull();
  expect(await life.within(Promise.reject(new Error('too late')))).toBeNull();
});

test('the values of a call are released once its answer has come', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const life = new Lifetime();
  const ask = async () => {
    const payload = { text: 'large' };
    await life.within(Promise.resolve().then(() => payload.text));
    return new WeakRef(payload);
  };
  const asked = await ask();
  // The turn in which the promise was settled still holds its value.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  expect(asked.deref()).toBeUndefined();
  expect(await life.within(Promise.resolve('and lives on'))).toBe('and lives on');
});
