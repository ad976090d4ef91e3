import type { CanvasMode } from '../canvas-view.ts';

/** The action of a key on the canvas. */
export type KeyAction =
  | { kind: 'cancel' }
  | { kind: 'remove' }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'selectAll' }
  | { kind: 'duplicate' }
  /** Arrow keys; `coarse` with Shift, `goesOn` while one is held. */
  | { kind: 'arrow'; x: -1 | 0 | 1; y: -1 | 0 | 1; coarse: boolean; goesOn: boolean }
  /** Alt, Shift and arrow keys: the right or lower edge goes that way. */
  | { kind: 'resize'; x: -1 | 0 | 1; y: -1 | 0 | 1; goesOn: boolean }
  | { kind: 'mode'; mode: CanvasMode }
  | { kind: 'zoom'; to: 'in' | 'out' | 'actual' | 'fit' };

type KeyInput = { key: string; code: string; ctrl: boolean; shift: boolean; alt: boolean; repeat: boolean };

const arrows: Record<string, { x: -1 | 0 | 1; y: -1 | 0 | 1 }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const modes: Record<string, CanvasMode> = { h: 'hand', v: 'select' };

/** The action of a key on the canvas, on any keyboard layout; null for a key that is not the canvas's. */
export function keyAction(input: KeyInput): KeyAction | null {
  if (input.alt) return withAlt(input);
  return input.ctrl ? withCtrl(input) : bare(input);
}

function withAlt({ key, ctrl, shift, repeat }: KeyInput): KeyAction | null {
  const arrow = shift && !ctrl ? arrows[key] : undefined;
  return arrow ? { kind: 'resize', ...arrow, goesOn: repeat } : null;
}

function withCtrl(input: KeyInput): KeyAction | null {
  switch (letter(input)) {
    case 'z':
      return { kind: input.shift ? 'redo' : 'undo' };
    case 'y':
      return input.shift ? null : { kind: 'redo' };
    case 'a':
      return input.shift ? null : { kind: 'selectAll' };
    case 'd':
      return input.shift || input.repeat ? null : { kind: 'duplicate' };
    default:
      return null;
  }
}

function bare(input: KeyInput): KeyAction | null {
  const { key, code, shift, repeat } = input;
  const arrow = arrows[key];
  if (arrow) return { kind: 'arrow', ...arrow, coarse: shift, goesOn: repeat };
  if (key === 'Escape') return { kind: 'cancel' };
  if (key === 'Delete' || key === 'Backspace') return { kind: 'remove' };
  if (shift && code === 'Digit1') return { kind: 'zoom', to: 'fit' };
  if (key === '+' || key === '=') return { kind: 'zoom', to: 'in' };
  if (key === '-' || key === '_') return { kind: 'zoom', to: 'out' };
  if (key === '0') return { kind: 'zoom', to: 'actual' };
  const mode = shift ? undefined : modes[letter(input)];
  return mode ? { kind: 'mode', mode } : null;
}

/** Returns the Latin letter of a key: the typed one if the layout is Latin, else the one printed at that place. */
function letter({ key, code }: KeyInput): string {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase();
}
