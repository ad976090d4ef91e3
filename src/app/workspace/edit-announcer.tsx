import type { Patch } from 'immer';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useStore } from '../../workers/bridge/use-workspace.ts';

/** Announces added and removed cards and links to screen readers, also those of an undo or another tab. */
export function EditAnnouncer() {
  const { t } = useTranslation('workspace');
  const store = useStore();
  const [{ counts, turn }, setNews] = useState<News>({ counts: null, turn: 0 });
  useEffect(
    () =>
      store.subscribe((_state, patches) => {
        const edited = patches && countEdits(patches);
        if (edited) setNews((last) => ({ counts: edited, turn: last.turn + 1 }));
      }),
    [store],
  );
  const words = counts && edits.filter((name) => counts[name] > 0).map((name) => t(`announce.${name}`, { count: counts[name] }));
  return (
    <p className="visually-hidden" role="status" aria-live="polite" data-testid="edit-announcer">
      {/* Put there anew each time: the same words as before would else not be read again. */}
      <span key={turn}>{words?.join(', ')}</span>
    </p>
  );
}

const edits = ['cardsAdded', 'cardsRemoved', 'linksAdded', 'linksRemoved'] as const;
type EditCounts = Record<(typeof edits)[number], number>;
type News = { counts: EditCounts | null; turn: number };

/** Returns the numbers of added and removed cards and links; null when there are none. */
function countEdits(patches: readonly Patch[]): EditCounts | null {
  const counts: EditCounts = { cardsAdded: 0, cardsRemoved: 0, linksAdded: 0, linksRemoved: 0 };
  for (const { op, path } of patches) {
    if (path[0] !== 'document' || path.length !== 3 || op === 'replace') continue;
    if (path[1] === 'nodes') counts[op === 'add' ? 'cardsAdded' : 'cardsRemoved'] += 1;
    else counts[op === 'add' ? 'linksAdded' : 'linksRemoved'] += 1;
  }
  return edits.some((name) => counts[name] > 0) ? counts : null;
}
