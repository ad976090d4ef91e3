import type { TFunction } from 'i18next';
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { type CardState, type CardView, leftOutCard, outsideCard, stepsOfCard } from '../../model/card-view.ts';
import type { Command, Dispatch } from '../../model/commands.ts';
import { withContents } from '../../model/document/annotations.ts';
import { nextHold } from '../../model/document/hold-links.ts';
import { linkInRun } from '../../model/link-state.ts';
import type { RunState } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { atRest } from '../camera-movement.ts';
import { canvasKinds } from '../canvas-kinds.ts';
import type { CanvasView } from '../canvas-view.ts';
import { toggleFolds, withFoldedContents } from '../folding/fold-changes.ts';
import { linksBehind } from '../folding/folded-records.ts';
import type { FoldedStore } from '../folding/folded-store.ts';
import type { Folding } from '../folding/folding.ts';
import { nodeBox } from '../geometry/document-bounds.ts';
import { openDialog } from '../overlay/dialog/open-dialog.ts';
import { startEditing } from '../overlay/start-editing.ts';
import { stepWordsOf } from '../tool-words.ts';
import { movesBy } from '../tools/move-tool.ts';
import { resizeStep } from '../tools/resize-step.ts';
import { useStoreValue } from '../use-store-value.ts';
import { cameraShowing } from './camera-showing.ts';
import styles from './canvas-outline.module.css';
import { type OutlineAction, outlineKey } from './outline-key.ts';
import { type LineInRun, OutlineLine } from './outline-line.tsx';
import { type OutlineRow, rowId } from './outline-rows.ts';
import { useLeftOut } from './use-left-out.ts';
import { useOutline } from './use-outline.ts';
import { useThrottledRun } from './use-throttled-run.ts';

/** Cards listed at a time; the window follows the focus. */
const listedCards = 100;

type CanvasOutlineProps = {
  store: WorkspaceStore;
  /** What is shown of it: with folded groups as cards. */
  shownStore: FoldedStore;
  view: CanvasView;
  dispatch: Dispatch;
  readOnly: boolean;
  /** Whether the list replaces the canvas and is visible. */
  shown: boolean;
  onOpenNode?: ((nodeId: string) => void) | undefined;
};

/**
 * The canvas for screen readers and the keyboard: a tree of cards, each with its state and its links, to navigate and
 * edit by keys. The focused card is selected and brought into view.
 */
export function CanvasOutline({ store, shownStore, view, dispatch, readOnly, shown, onOpenNode }: CanvasOutlineProps) {
  const { t } = useTranslation('canvas');
  const problemText = useProblemText();
  const hintId = useId();
  const tree = useRef<HTMLDivElement>(null);
  const outline = useOutline(shownStore);
  const throttled = useThrottledRun(store);
  const { run, cards } = throttled;
  const questions = useStoreValue(store, (state) => state.questions.items);
  const asking = useMemo(
    () => new Set(questions.flatMap(({ executionId, nodeId }) => (executionId === run.execution?.id && nodeId !== null ? [nodeId] : []))),
    [questions, run.execution?.id],
  );
  const [focused, setFocused] = useState<{ id: string; at: number } | null>(null);
  const [centre, setCentre] = useState<string | null>(null);
  const [linkingFrom, setLinkingFrom] = useState<CanvasNode | null>(null);
  const [said, setSaid] = useState('');
  const rows = useMemo(() => outline.about(centre, listedCards), [outline, centre]);
  const leftOutOf = useLeftOut(store, throttled);
  const at = placeOf(focused, rows);

  const hadFocus = useRef(false);
  const follows = useRef(false);
  useEffect(() => {
    // The focused line was removed, the window moved, or a link was followed: the focus goes to the matching line.
    const isLost = hadFocus.current && !tree.current?.contains(document.activeElement);
    if (rows[at] && (isLost || follows.current)) lineAt(tree.current, at)?.focus();
    follows.current = false;
  }, [rows, at]);

  const focusRow = useCallback(
    (row: OutlineRow, place: number) => {
      setFocused({ id: rowId(row), at: place });
      setCentre(row.kind === 'node' ? row.node.id : row.from.id);
      const node = row.kind === 'node' ? row.node : row.from;
      view.update({
        selectedNodes: row.kind === 'node' ? new Set([node.id]) : new Set(),
        selectedLinks: row.kind === 'link' ? new Set(linksBehind(row.link)) : new Set(),
        camera: cameraShowing(nodeBox(node), atRest(view)),
      });
    },
    [view],
  );

  const open = useCallback(
    (nodeId: string) => {
      const node = store.getState().document.nodes[nodeId];
      const canvas = tree.current?.closest<HTMLElement>('[data-testid="canvas"]');
      if (node && view.ephemeral.folded.has(nodeId)) view.update({ folded: toggleFolds(view.ephemeral.folded, new Set([nodeId])) });
      else if (node && canvasKinds[node.type].opens === 'words') view.update(readOnly ? {} : startEditing(node, atRest(view)));
      else if (node && canvasKinds[node.type].opens === 'form' && canvas) openDialog(canvas, node, view);
      else onOpenNode?.(nodeId);
    },
    [store, view, readOnly, onOpenNode],
  );
  const withContentsOfFolded = (command: Command): Command => {
    if (command.type !== 'selection.remove') return command;
    const { nodes } = store.getState().document;
    return { ...command, nodeIds: [...withFoldedContents(nodes, view.ephemeral.folded, new Set(command.nodeIds))] };
  };
  const act = async (action: OutlineAction) => {
    switch (action.kind) {
      case 'go':
        lineAt(tree.current, action.to)?.focus();
        return;
      case 'follow':
        follows.current = true;
        setFocused({ id: action.nodeId, at });
        setCentre(action.nodeId);
        setSaid(t('outline.followed', { from: rowTitle(rows[at]) }));
        return;
      case 'open':
        open(action.nodeId);
        return;
      case 'startLink': {
        const from = store.getState().document.nodes[action.from] ?? null;
        setLinkingFrom(from);
        if (from) setSaid(t('outline.linking', { from: from.title }));
        return;
      }
      case 'cancelLink':
        setLinkingFrom(null);
        setSaid(t('outline.linkCancelled'));
        return;
      case 'endLink': {
        if (view.ephemeral.folded.has(action.to)) {
          setSaid(shownStore.folding?.words.opened ?? '');
          open(action.to);
          return;
        }
        setLinkingFrom(null);
        const outcome = await dispatch({ type: 'link.add', from: action.from, to: action.to });
        const { nodes } = store.getState().document;
        const words = { from: nodes[action.from]?.title ?? '', to: nodes[action.to]?.title ?? '' };
        setSaid(outcome.ok ? t('outline.linked', words) : problemText(outcome.error));
        return;
      }
      case 'move': {
        const { document } = store.getState();
        const nodeIds = withContents(document.nodes, new Set([action.nodeId]));
        const outcome = await dispatch({ type: 'node.move', moves: movesBy(document, nodeIds, action.dx, action.dy) });
        if (!outcome.ok) setSaid(problemText(outcome.error));
        return;
      }
      case 'resize': {
        const node = store.getState().document.nodes[action.nodeId];
        const command = node && resizeStep(node, action.step);
        if (!command) return;
        const outcome = await dispatch(command);
        const { width = 0, height = 0 } = command.changes;
        setSaid(outcome.ok ? t('outline.resized', { width, height }) : problemText(outcome.error));
        return;
      }
      case 'hold': {
        const command = nextHold(store.getState().document, [action.linkId]);
        if (!command) return;
        const outcome = await dispatch(command);
        setSaid(outcome.ok ? t(`link.hold.${command.hold ?? 'off'}`) : problemText(outcome.error));
        return;
      }
      case 'command': {
        const outcome = await dispatch(withContentsOfFolded(action.command));
        if (!outcome.ok) setSaid(problemText(outcome.error));
        return;
      }
      default:
        action satisfies never;
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, code, shiftKey: shift, ctrlKey, metaKey, altKey: alt, repeat } = event;
    const action = outlineKey(
      { key, code, shift, alt, repeat, modified: ctrlKey || metaKey },
      { rows, at, linkingFrom: linkingFrom?.id ?? null, readOnly, along: (nodeId, way) => outline.along(nodeId, way) },
    );
    if (!action) return;
    event.preventDefault();
    void act(action);
  };
  const onBlur = (event: FocusEvent) => {
    if (event.target.isConnected) hadFocus.current = false;
  };

  return (
    <div className={shown ? styles.shown : 'visually-hidden'} data-testid="canvas-outline">
      <p id={hintId} className={styles.keys}>
        {t('outline.keys')}
      </p>
      <div
        ref={tree}
        className={styles.tree}
        role="tree"
        aria-label={t('outline.label')}
        aria-describedby={hintId}
        onKeyDown={onKeyDown}
        onFocus={() => {
          hadFocus.current = true;
        }}
        onBlur={onBlur}
      >
        {rows.map((row, i) => (
          <OutlineLine
            key={rowId(row)}
            row={row}
            place={i}
            state={row.kind === 'node' ? stateOf(row.node, cards) : 'idle'}
            total={outline.nodes.length}
            isTabStop={i === at}
            shown={shown}
            onFocus={focusRow}
            onOpen={open}
            {...lineInRun(row, run, cards, t)}
            asks={row.kind === 'node' && asking.has(row.node.id)}
            leftOut={row.kind === 'node' ? leftOutOf(row.node) : null}
            {...foldedLine(row, { run, cards, folding: shownStore.folding, leftOutOf })}
          />
        ))}
      </div>
      {outline.nodes.length > listedCards && (
        <p className={styles.more}>{t('outline.more', { count: outline.nodes.length - listedCards })}</p>
      )}
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
}

/** The focused line, or the line that has replaced it; the first before any focus. */
function placeOf(focused: { id: string; at: number } | null, rows: readonly OutlineRow[]): number {
  if (!focused) return 0;
  const at = rows.findIndex((row) => rowId(row) === focused.id);
  return at >= 0 ? at : Math.max(0, Math.min(focused.at, rows.length - 1));
}

function stateOf(node: CanvasNode, cards: Record<string, CardView>): CardState {
  return cards[node.id]?.state ?? 'idle';
}

function lineInRun(
  row: OutlineRow,
  run: RunState,
  cards: Record<string, CardView>,
  t: TFunction<'canvas'>,
): Omit<LineInRun, 'asks' | 'leftOut'> {
  const view = cards[row.kind === 'link' ? row.to.id : row.node.id];
  const items = row.kind === 'link' ? null : (run.graph?.lists[row.node.id] ?? view?.items);
  return {
    inRun: row.kind === 'link' ? linkInRun(run, row.link.id) : undefined,
    round: view?.round ?? null,
    rounds: view?.rounds ?? null,
    itemsDone: items?.done ?? 0,
    itemsTotal: items?.total ?? 0,
    tools: row.kind === 'node' && view ? stepWordsOf(view, t) : '',
  };
}

/** What a folded group stands for, or a line for several links. */
function foldedLine(row: OutlineRow, { run, cards, folding, leftOutOf }: FoldedRun): Partial<LineInRun> {
  const shareOf = (id: string) => ({ view: cards[id] ?? viewLeftOut(folding?.node(id), leftOutOf), steps: stepsOfCard(run, id), run });
  const listed = folding?.listed(row.kind === 'link' ? row.link : row.node, shareOf);
  if (!listed) return {};
  return { tools: listed.words, leftOut: listed.view?.isOutside ? 'outside' : listed.view?.isLeftOut ? 'leftOut' : null };
}

type LeftOutOf = ReturnType<typeof useLeftOut>;
type FoldedRun = { run: RunState; cards: Readonly<Record<string, CardView>>; folding: Folding | null; leftOutOf: LeftOutOf };

function viewLeftOut(node: CanvasNode | undefined, leftOutOf: LeftOutOf): CardView | undefined {
  const leftOut = node && leftOutOf(node);
  return leftOut ? (leftOut === 'outside' ? outsideCard : leftOutCard) : undefined;
}

function rowTitle(row: OutlineRow | undefined): string {
  return row ? (row.kind === 'node' ? row.node.title : row.from.title) : '';
}

function lineAt(tree: HTMLDivElement | null, index: number): HTMLElement | null {
  return (tree?.children[index] as HTMLElement | undefined) ?? null;
}
