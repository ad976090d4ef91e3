import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { tinykeys } from 'tinykeys';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import type { Rect } from '../../../canvas/geometry/camera.ts';
import { nodeBox, unionBox } from '../../../canvas/geometry/document-bounds.ts';
import { type Comparison, countDifferences, type DifferenceKind } from '../../../model/versions/comparison.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArchiveRestore, ArrowLeft, ChevronDown, ChevronUp } from '../../../ui/icons/icons.ts';
import { useDispatch, useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { hasOpenDialog } from '../actions/has-open-dialog.ts';
import { flyToBox } from '../camera/move-camera.ts';
import { useSend } from '../frame/use-send.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { comparisonOnCanvas, type DifferenceItem, differenceItems, neighbour } from './difference-items.ts';
import { DifferenceList } from './difference-list.tsx';
import { Legend } from './legend.tsx';
import styles from './versions.module.css';

const nothing: Comparison = { nodes: {}, connections: {} };
/** Moves alone are many and say little: they are off at first. */
const shownAtFirst: readonly DifferenceKind[] = ['added', 'removed', 'changed'];

/** What differs between the canvas and a version: colours on the canvas, the same as a list, and the way back to it. */
export function ComparisonView({ name }: { name: string }) {
  const { t } = useTranslation('versions');
  const dispatch = useDispatch();
  const { readOnly } = useWorkspaceContext();
  const [isRestored, setRestored] = useState(false);
  const { send, isBusy, problem } = useSend(() => setRestored(true));
  const version = useWorkspace(({ comparison }) => comparison?.version ?? 0);
  const locked = useWorkspace(({ run }) => isLocked(run));
  const { items, shown, counts, kinds, setKinds } = useDifferences();
  const { focusId, focus, step } = useFocusedDifference(shown);
  const leave = useCallback(() => void dispatch({ type: 'version.closeComparison' }), [dispatch]);
  useDifferenceKeys({ next: () => step(1), previous: () => step(-1), leave });
  const hasNone = items.length === 0;
  return (
    <div className={styles.body} data-testid="comparison">
      <div className={styles.compared}>
        <div className={styles.bar}>
          <Button size="s" variant="ghost" icon={<ArrowLeft size={15} aria-hidden />} onClick={leave}>
            {t('back')}
          </Button>
          <span className={styles.number} title={t('words:versionNumber', { version })}>
            <strong>{name || t('words:versionNumber', { version })}</strong>
          </span>
          <Steps at={shown.findIndex(({ id }) => id === focusId)} count={shown.length} onStep={step} />
        </div>
        <Legend counts={counts} shown={kinds} onChange={setKinds} />
      </div>
      {hasNone ? (
        <p className={styles.note} role="status">
          {isRestored ? t('restored') : t('same')}
        </p>
      ) : (
        <DifferenceList items={shown} focusId={focusId} onFocus={focus} />
      )}
      {!hasNone && shown.length === 0 && <p className={styles.note}>{t('hidden')}</p>}
      <ProblemNote problem={problem} className={styles.refused} />
      {!readOnly && !hasNone && (
        <div className={styles.foot}>
          <Button
            wide
            variant="primary"
            busy={isBusy}
            disabled={locked}
            icon={<ArchiveRestore size={16} aria-hidden />}
            onClick={() => void send({ type: 'version.restore', version })}
          >
            {t('restore')}
          </Button>
          <p>{locked ? t('locked') : t('restoreHint')}</p>
        </div>
      )}
    </div>
  );
}

/** Returns all differences, those of the chosen kinds, and how many there are of each kind. */
function useDifferences() {
  const [kinds, setKinds] = useState<ReadonlySet<DifferenceKind>>(new Set(shownAtFirst));
  // Both change with an edit, and one may arrive before the other.
  const differences = useDeferredValue(useWorkspace(({ comparison }) => comparison?.differences ?? nothing));
  const document = useDeferredValue(useWorkspace((state) => state.document));
  const items = useMemo(() => differenceItems(differences, document), [differences, document]);
  const shown = useMemo(() => items.filter(({ kind }) => kinds.has(kind)), [items, kinds]);
  const counts = useMemo(() => countDifferences(differences), [differences]);
  return { items, shown, counts, kinds, setKinds };
}

/** Marks the shown differences on the canvas, and flies to the one that gets the focus. */
function useFocusedDifference(shown: readonly DifferenceItem[]) {
  const store = useStore();
  const { view } = useWorkspaceContext();
  const [focusId, setFocusId] = useState<string | null>(null);
  /** The newest focus: a second key may come before the first one is rendered. */
  const newestFocus = useRef<string | null>(null);
  useEffect(() => view.update({ comparison: comparisonOnCanvas(shown, focusId) }), [view, shown, focusId]);
  useEffect(() => () => view.update({ comparison: null }), [view]);
  const focus = (item: DifferenceItem | null) => {
    if (!item) return;
    newestFocus.current = item.id;
    setFocusId(item.id);
    const { comparison, document } = store.getState();
    const box = boxOfItem(item, comparison?.differences ?? nothing, document);
    if (box) flyToBox(view, box);
  };
  return { focusId, focus, step: (by: 1 | -1) => focus(neighbour(shown, newestFocus.current, by)) };
}

/** The place of the focus among the shown differences, and the buttons to the ones beside it. `at`: -1 without a focus. */
function Steps({ at, count, onStep }: { at: number; count: number; onStep: (by: 1 | -1) => void }) {
  const { t } = useTranslation('versions');
  return (
    <span className={styles.steps}>
      <span className={styles.place} role="status">
        {at < 0 ? count : t('place', { at: at + 1, count })}
      </span>
      <IconButton
        label={t('previous')}
        shortcut="["
        size={32}
        icon={<ChevronUp size={16} />}
        disabled={count === 0}
        onClick={() => onStep(-1)}
      />
      <IconButton
        label={t('next')}
        shortcut="]"
        size={32}
        icon={<ChevronDown size={16} />}
        disabled={count === 0}
        onClick={() => onStep(1)}
      />
    </span>
  );
}

/** The box of a card, or of both ends of a link, with removed cards where they were (world px). */
function boxOfItem(item: DifferenceItem, { nodes }: Comparison, document: CanvasDocument): Rect | null {
  if (item.record === 'node') {
    const node = item.now ?? item.before;
    return node ? nodeBox(node) : null;
  }
  const link = item.now ?? item.before;
  if (!link) return null;
  const nodeOf = (id: string): CanvasNode | undefined => {
    const difference = nodes[id];
    return document.nodes[id] ?? (difference && difference.kind !== 'added' ? difference.before : undefined);
  };
  const boxes = [link.from.agentId, link.to.agentId].flatMap((id) => {
    const node = nodeOf(id);
    return node ? [nodeBox(node)] : [];
  });
  return boxes.reduce<Rect | null>(unionBox, null);
}

/** Where text is written. */
const writtenIn = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';

/** The keys of a comparison, by their physical position: `]` next, `[` previous, Escape leaves. None works in a text or under a dialog. */
function useDifferenceKeys(keys: { next: () => void; previous: () => void; leave: () => void }): void {
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
