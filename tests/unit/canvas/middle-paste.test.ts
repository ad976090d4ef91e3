import { expect, test } from 'vitest';
import { stopMiddlePaste } from '../../../src/canvas/middle-paste.ts';

type Given = { button?: number; buttons?: number; x?: number; y?: number; at?: number };

/** A page with a canvas, and a listener behind that of the canvas that pastes. */
function open() {
  const [canvas, page, gone] = [new EventTarget(), new EventTarget(), new AbortController()];
  let pasted = 0;
  stopMiddlePaste(canvas, page, gone.signal);
  page.addEventListener('paste', () => {
    pasted += 1;
  });
  const event = (type: string, { button = 0, buttons = 1, x = 0, y = 0, at = 0 }: Given) =>
    Object.defineProperties(new Event(type, { cancelable: true }), {
      button: { value: button },
      buttons: { value: buttons },
      clientX: { value: x },
      clientY: { value: y },
      timeStamp: { value: at },
    });
  const onPage = (type: string, given: Given = {}) => page.dispatchEvent(event(type, given));
  const press = (button: number) => {
    onPage('pointerdown', { button });
    canvas.dispatchEvent(event('pointerdown', { button }));
  };
  return { gone, onPage, press, pasted: () => pasted };
}

test('W2.06 the middle button pastes nothing, with and without a pan, whether the paste comes before or after its release', () => {
  for (const comesFirst of [true, false])
    for (const x of [0, 40]) {
      const { onPage, press, pasted } = open();
      press(1);
      onPage('pointermove', { x });
      if (comesFirst) onPage('paste');
      onPage('pointerup', { button: 1, x, at: 1_000 });
      // A field that has the focus gets nothing either.
      if (!comesFirst) expect(onPage('paste', { at: 1_020 })).toBe(false);
      expect(pasted()).toBe(0);
    }
});

test('W2.06 a paste by keys, after a pan with another button, or long after a pan with the middle button goes through', () => {
  const { onPage, press, pasted, gone } = open();
  const pan = (button: number) => {
    press(button);
    onPage('pointermove', { y: 40 });
    onPage('pointerup', { button, y: 40, at: 1_000 });
  };
  pan(1);
  onPage('keydown', { at: 1_010 });
  onPage('paste', { at: 1_011 });
  pan(1);
  onPage('paste', { at: 5_000 });
  pan(0);
  onPage('paste', { at: 1_010 });
  gone.abort();
  pan(1);
  onPage('paste', { at: 1_010 });
  expect(pasted()).toBe(4);
});

test('W2.06 a paste by keys goes through after a middle-button pan whose release reports another button', () => {
  const { onPage, press, pasted } = open();
  press(1);
  onPage('pointermove', { x: 40 });
  onPage('pointerup', { button: 0, buttons: 0, at: 1_000 });
  onPage('keydown', { at: 1_900 });
  onPage('paste', { at: 2_000 });
  expect(pasted()).toBe(1);
});
