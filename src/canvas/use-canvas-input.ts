import { type RefObject, useEffect } from 'react';
import { attachCanvasInput, type CanvasInputOptions } from './canvas-input.ts';

/** Keeps the canvas's pointers, wheel and keyboard attached to an element while it is mounted. */
export function useCanvasInput(element: RefObject<HTMLElement | null>, options: CanvasInputOptions): void {
  const { store, view, dispatch, index, readOnly, mobile, onOpenNode, onRefusedPaste, onMenu } = options;
  useEffect(() => {
    if (!element.current) return;
    return attachCanvasInput(element.current, { store, view, dispatch, index, readOnly, mobile, onOpenNode, onRefusedPaste, onMenu });
  }, [element, store, view, dispatch, index, readOnly, mobile, onOpenNode, onRefusedPaste, onMenu]);
}
