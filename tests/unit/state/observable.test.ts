import { describe, expect, test, vi } from 'vitest';
import { mergeSources, Observable, ObservableValue } from '../../../src/state/observable.ts';

describe('Observable', () => {
  test('an observable passes an event to every listener, in the order in which they were added', () => {
    const source = new Observable<[number, string]>();
    const heard: unknown[] = [];
    source.subscribe((...event) => heard.push(['first', ...event]));
    source.subscribe((...event) => heard.push(['second', ...event]));
    source.notify(1, 'a');
    expect(heard).toEqual([
      ['first', 1, 'a'],
      ['second', 1, 'a'],
    ]);
  });

  test('an observable does not call a removed listener, also when an earlier listener of the same event removed it', () => {
    const source = new Observable();
    const later = vi.fn();
    let remove = () => {};
    source.subscribe(() => remove());
    remove = source.subscribe(later);
    source.notify();
    source.notify();
    expect(later).not.toHaveBeenCalled();
  });

  test('an observable calls a listener that was added during an event from the next event on', () => {
    const source = new Observable();
    const added = vi.fn();
    const stop = source.subscribe(() => {
      stop();
      source.subscribe(added);
    });
    source.notify();
    expect(added).not.toHaveBeenCalled();
    source.notify();
    expect(added).toHaveBeenCalledTimes(1);
  });

  test('an observable keeps a function that was added twice until both additions are removed', () => {
    const source = new Observable();
    const listener = vi.fn();
    const removals = [source.subscribe(listener), source.subscribe(listener)];
    source.notify();
    expect(listener).toHaveBeenCalledTimes(2);
    removals[0]?.();
    removals[0]?.();
    source.notify();
    expect(listener).toHaveBeenCalledTimes(3);
  });

  test('the subscribe method of an observable works without its object, as React calls it', () => {
    const source = new Observable();
    const { subscribe } = source;
    const listener = vi.fn();
    const remove = subscribe(listener);
    source.notify();
    remove();
    source.notify();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe('ObservableValue', () => {
  test('an observable value notifies of another value, and the listeners already read that value', () => {
    const source = new ObservableValue(1);
    const heard: number[] = [];
    source.subscribe((value) => heard.push(value, source.get()));
    source.set(2);
    expect(heard).toEqual([2, 2]);
  });

  test('an observable value does not notify when the same value is set again, NaN included', () => {
    const source = new ObservableValue<unknown>(Number.NaN);
    const listener = vi.fn();
    source.subscribe(listener);
    source.set(Number.NaN);
    const object = {};
    source.set(object);
    source.set(object);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe('joined', () => {
  test('a joined observable notifies when any of its sources notifies, until the listener unsubscribes', () => {
    const [first, second] = [new Observable(), new Observable<[number]>()];
    const listener = vi.fn();
    const remove = mergeSources(first, second).subscribe(listener);
    first.notify();
    second.notify(1);
    expect(listener).toHaveBeenCalledTimes(2);
    remove();
    first.notify();
    second.notify(2);
    expect(listener).toHaveBeenCalledTimes(2);
  });
});
