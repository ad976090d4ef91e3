import { useEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { hasOpenDialog } from '../actions/has-open-dialog.ts';

/** Where text is written. */
const writtenIn = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';

/** The keys of a comparison, by their physical position: `]` next, `[` previous, Escape leaves. None works in a text or under a dialog. */
export function useDifferenceKeys(keys: { next: () => void; previous: () => void; leave: () => void }): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const on = (name: keyof typeof keys) => (event: KeyboardEvent) => {
      const isWriting = event.target instanceof Element && event.target.matches(writtenIn);
      if (isWriting || hasOpenDialog()) return;
      event.preventDefault();
      latest.current[name]();
    };
    return tinykeys(window, { BracketRight: on('next'), BracketLeft: on('previous'), Escape: on('leave') });
  }, []);
}
