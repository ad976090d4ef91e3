import { describe, expect, test, vi } from 'vitest';
import { mergeSources, Observable, ObservableValue } from '../../../src/state/observable.ts';

describe('Observable', () => {
  test('passes an event to every listener, in the order in which they were added', () => {
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

  test('does not call a listener that was removed, not even by an earlier listener of the same event', () => {
    const source = new Observable();
    const later = vi.fn();
    let remove = () => {};
    source.subscribe(() => remove());
    remove = source.subscribe(later);
    source.notify();
    source.notify();
    expect(later).not.toHaveBeenCalled();
  });

  test('calls a listener that was added during an event from the next event on', () => {
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

  test('keeps a function that was added twice until both additions are removed', () => {
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

  test('can be subscribed to without its object, as React does it', () => {
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
  test('notifies of another value, and shows it to the listeners already', () => {
    const source = new ObservableValue(1);
    const heard: number[] = [];
    source.subscribe((value) => heard.push(value, source.get()));
    source.set(2);
    expect(heard).toEqual([2, 2]);
  });

  test('does not notify when the same value is set again, NaN included', () => {
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
  test('notifies when any of its sources does, until it is left', () => {
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
