import { expect, test } from 'vitest';
import { isStartGesture } from '../../../src/prerender/begin/is-start-gesture.ts';

/** An event on an element inside these selectors. */
function eventIn(places: string[], event: Partial<KeyboardEvent & WheelEvent & PointerEvent>): PointerEvent {
  const target = { closest: (selector: string) => (places.includes(selector) ? {} : null) };
  return { type: 'pointerdown', button: 0, ctrlKey: false, altKey: false, metaKey: false, ...event, target } as unknown as PointerEvent;
}
const picture = ['#still'];
const link = ['#still', 'a[href]'];

test.each([
  ['a press', eventIn(picture, {})],
  ['a wheel', eventIn(picture, { type: 'wheel' })],
  ['an arrow key', eventIn([], { type: 'keydown', key: 'ArrowDown' })],
  ['a letter', eventIn([], { type: 'keydown', key: 'я' })],
])('P2.19 %s starts the demonstration', (_, event) => {
  expect(isStartGesture(event)).toBe(true);
});

test.each([
  ['a press on a link', eventIn(link, {})],
  ['Enter on a link', eventIn(link, { type: 'keydown', key: 'Enter' })],
  ['a press of the second button', eventIn(picture, { button: 2 })],
  ['a press beside the picture', eventIn([], {})],
  ['a zoom of the page', eventIn(picture, { type: 'wheel', ctrlKey: true })],
  ['Tab', eventIn([], { type: 'keydown', key: 'Tab' })],
  ['F5', eventIn([], { type: 'keydown', key: 'F5' })],
  ['a shortcut', eventIn([], { type: 'keydown', key: 'r', ctrlKey: true })],
])('P2.19 %s does not', (_, event) => {
  expect(isStartGesture(event)).toBe(false);
});
