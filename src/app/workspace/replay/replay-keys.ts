import type { ReplayCommand } from '../../../model/commands.ts';

type Key = Pick<KeyboardEvent, 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * Returns the command of a key in a replay, by its physical position, so that it works with a Russian layout; null for other keys. J, K and L
 * are those of video editors. `steps`: nothing moves by itself, and J and L go to the event before or after.
 */
export function replayKey({ code, shiftKey, ctrlKey, metaKey, altKey }: Key, total: number, steps: boolean): ReplayCommand | null {
  if (ctrlKey || metaKey || altKey) return null;
  switch (code) {
    case 'KeyJ':
    case 'KeyL': {
      const direction = code === 'KeyL' ? 1 : -1;
      return steps ? { type: 'replay.seek', to: { events: direction } } : { type: 'replay.play', direction };
    }
    case 'KeyK':
      return { type: 'replay.pause' };
    case 'ArrowLeft':
    case 'ArrowRight': {
      const by = code === 'ArrowRight' ? 1 : -1;
      return { type: 'replay.seek', to: shiftKey ? { marks: by } : { events: by } };
    }
    case 'Home':
      return { type: 'replay.seek', to: { event: 0 } };
    case 'End':
      return { type: 'replay.seek', to: { event: total } };
    default:
      return null;
  }
}
