import { useEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';

/** Dialogs and menus that are not closing, and what text is written in. */
const openOver = ['dialog', 'alertdialog', 'menu'].map((role) => `[role="${role}"]:not([data-closed])`).join();
const writtenIn = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';

/** The keys of a comparison, by their physical position: `]` next, `[` previous, Escape leaves. None works in a text or under a dialog. */
export function useDifferenceKeys(keys: { next: () => void; previous: () => void; leave: () => void }): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const on = (name: keyof typeof keys) => (event: KeyboardEvent) => {
      const isWriting = event.target instanceof Element && event.target.matches(writtenIn);
      if (isWriting || document.querySelector(openOver)) return;
      event.preventDefault();
      latest.current[name]();
    };
    return tinykeys(window, { BracketRight: on('next'), BracketLeft: on('previous'), Escape: on('leave') });
  }, []);
}
