import { expect, test, vi } from 'vitest';
import { LayerStack } from '../../../../src/canvas/scene/layer-stack.ts';
import type { Frame } from '../../../../src/canvas/scene/layers/scene-layer.ts';

const frame = {} as Frame;
const layer = ({ draw = () => {}, isMoving = false }: { draw?: () => void; isMoving?: boolean } = {}) => ({
  draw: vi.fn(draw),
  meshes: 1,
  cards: 2,
  isMoving,
});

test('W2.05 a layer that cannot be drawn is removed and reported once, and the others are drawn', () => {
  const changed = vi.fn();
  const stack = new LayerStack(changed);
  const error = new Error('no memory');
  const broken = layer({
    draw: () => {
      throw error;
    },
    isMoving: true,
  });
  const [below, above] = [layer(), layer()];
  const onError = vi.fn();
  const unexpected = vi.fn();
  stack.mount(below, unexpected);
  const unmount = stack.mount(broken, onError);
  stack.mount(above, unexpected);
  expect(stack.isMoving).toBe(true);
  changed.mockClear();
  stack.draw(frame);
  stack.draw(frame);
  expect(onError.mock.calls).toEqual([[error]]);
  expect(unexpected).not.toHaveBeenCalled();
  expect([below.draw.mock.calls.length, broken.draw.mock.calls.length, above.draw.mock.calls.length]).toEqual([2, 1, 2]);
  expect([stack.meshes, stack.cards, stack.isMoving]).toEqual([2, 4, false]);
  // React unmounts the broken layer afterwards.
  unmount();
  expect(changed).toHaveBeenCalledTimes(1);
});

test('W2.05 another frame is requested when a layer is added or removed', () => {
  const changed = vi.fn();
  const stack = new LayerStack(changed);
  expect(stack.isEmpty).toBe(true);
  const unmount = stack.mount(layer(), () => {});
  expect([stack.isEmpty, changed.mock.calls.length]).toEqual([false, 1]);
  unmount();
  expect([stack.isEmpty, changed.mock.calls.length]).toEqual([true, 2]);
});
