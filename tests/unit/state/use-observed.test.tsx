import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ObservableValue } from '../../../src/state/observable.ts';
import { useObserved } from '../../../src/state/use-observed.ts';

const source = new ObservableValue({ name: 'Anna' });

test('a component renders the selected part of its source', () => {
  const Name = () => useObserved(source, () => source.get().name);
  expect(renderToStaticMarkup(<Name />)).toBe('Anna');
});

test('a component renders the value for prerendered markup where there is one', () => {
  const Name = () =>
    useObserved(
      source,
      () => source.get().name,
      () => 'guest',
    );
  expect(renderToStaticMarkup(<Name />)).toBe('guest');
});
