import type { TFunction } from 'i18next';
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { type CardState, type CardView, leftOutCard, outsideCard, stepsOfCard } from '../../model/card-view.ts';
import type { Command, Dispatch } from '../../model/commands.ts';
import { withContents } from '../../model/document/annotations.ts';
import { nextHold } from '../../model/document/links/hold-links.ts';
import { linkInRun } from '../../model/link-state.ts';
import type { Problem } from '../../model/problem.ts';
import { isOutsideRun, runOnCards, showsNextRun } from '../../model/run/shown-on-canvas.ts';
import type { RunState } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { useLateProblemText } from '../../ui/i18n/use-late-problem-text.ts';
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
import { leftOutOf } from '../scene/left-out.ts';
import { stepWordsOf } from '../tool-words.ts';
import { movesBy } from '../tools/move-tool.ts';
import { resizeStep } from '../tools/resize-step.ts';
import { useStoreValue } from '../use-store-value.ts';
import { cameraShowing } from './camera-showing.ts';
import styles from './canvas-outline.module.css';
import { type OutlineAction, outlineKey } from './outline-key.ts';
import { type LineInRun, OutlineLine } from './outline-line.tsx';
import { type OutlineRow, rowId } from './outline-rows.ts';
import { useOutline } from './use-outline.ts';
import type { ThrottledRun } from './use-throttled-run.ts';
import { useThrottledRun } from './use-throttled-run.ts';

/** Returns what a card says that is no part of the shown run, or of the next one where none is shown; null for all others. D1.20 D1.31 */
function useLeftOut(store: WorkspaceStore, { run, cards }: ThrottledRun): (node: CanvasNode) => 'leftOut' | 'outside' | null {
  const document = useStoreValue(store, (state) => state.document);
  const participation = useStoreValue(store, (state) => state.participation);
  return useMemo(() => {
    if (!showsNextRun(run)) {
      const onCards = runOnCards(document, run, cards);
      return (node) => (isOutsideRun(node, onCards) ? 'outside' : null);
    }
    const { nodes, outside } = leftOutOf(participation);
    return ({ id }) => (outside.has(id) ? 'outside' : nodes.has(id) ? 'leftOut' : null);
  }, [document, participation, run, cards]);
}

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
export function CanvasOutline(props: CanvasOutlineProps) {
  const { store, shownStore, shown } = props;
  const { t } = useTranslation('canvas');
  const hintId = useId();
  const outline = useOutline(shownStore);
  const throttled = useThrottledRun(store);
  const { run, cards } = throttled;
  const questions = useStoreValue(store, (state) => state.questions.items);
  const asking = useMemo(
    () => new Set(questions.flatMap(({ executionId, nodeId }) => (executionId === run.execution?.id && nodeId !== null ? [nodeId] : []))),
    [questions, run.execution?.id],
  );
  const leftOutOf = useLeftOut(store, throttled);
  const focus = useOutlineFocus(outline, props.view);
  const { tree, rows, at } = focus;
  const { said, linkingFrom, open, act } = useOutlineActions(focus, props);

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, code, shiftKey: shift, ctrlKey, metaKey, altKey: alt, repeat } = event;
    const action = outlineKey(
      { key, code, shift, alt, repeat, modified: ctrlKey || metaKey },
      { rows, at, linkingFrom, readOnly: props.readOnly, along: (nodeId, way) => outline.along(nodeId, way) },
    );
    if (!action) return;
    event.preventDefault();
    void act(action);
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
        onFocus={focus.onFocus}
        onBlur={focus.onBlur}
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
            onFocus={focus.focusRow}
            onOpen={open}
            {...lineInRun(row, run, cards, t)}
            asks={row.kind === 'node' && asking.has(row.node.id)}
            leftOut={row.kind === 'node' ? leftOutOf(row.node) : null}
            {...foldedLine(row, { run, cards, folding: shownStore.folding, leftOutOf })}
          />
        ))}
      </div>
      {outline.nodes.length > listedCards && (
        <p className={styles.more}>{t('words:andMoreCards', { count: outline.nodes.length - listedCards })}</p>
      )}
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
}

/** The listed rows and the focused one of them. The focused card is selected and brought into view. */
function useOutlineFocus(outline: ReturnType<typeof useOutline>, view: CanvasView) {
  const tree = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<{ id: string; at: number } | null>(null);
  const [centre, setCentre] = useState<string | null>(null);
  const rows = useMemo(() => outline.about(centre, listedCards), [outline, centre]);
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
  /** Moves the focus to a card, which may not be listed yet. */
  const follow = (nodeId: string) => {
    follows.current = true;
    setFocused({ id: nodeId, at });
    setCentre(nodeId);
  };
  const onFocus = () => {
    hadFocus.current = true;
  };
  const onBlur = (event: FocusEvent) => {
    if (event.target.isConnected) hadFocus.current = false;
  };
  return { tree, rows, at, focusRow, follow, onFocus, onBlur };
}

/** What the keys do, and what is said of it to screen readers. */
function useOutlineActions({ tree, rows, at, follow }: ReturnType<typeof useOutlineFocus>, props: CanvasOutlineProps) {
  const { store, shownStore, view, dispatch, readOnly, onOpenNode } = props;
  const { t } = useTranslation('canvas');
  const problemText = useLateProblemText();
  const [linkingFrom, setLinkingFrom] = useState<string | null>(null);
  const [said, setSaid] = useState<string | Problem>('');

  const open = useCallback(
    (nodeId: string) => {
      const node = store.getState().document.nodes[nodeId];
      const canvas = tree.current?.closest<HTMLElement>('[data-testid="canvas"]');
      if (node && view.ephemeral.folded.has(nodeId)) view.update({ folded: toggleFolds(view.ephemeral.folded, new Set([nodeId])) });
      else if (node && canvasKinds[node.type].opens === 'words') view.update(readOnly ? {} : startEditing(node, atRest(view)));
      else if (node && canvasKinds[node.type].opens === 'form' && canvas) openDialog(canvas, node, view);
      else onOpenNode?.(nodeId);
    },
    [store, view, readOnly, onOpenNode, tree],
  );
  /** Sends a command, and says what has come of it. */
  const send = async (command: Command, done = '') => {
    const outcome = await dispatch(command);
    if (!outcome.ok) setSaid(outcome.error);
    else if (done) setSaid(done);
  };
  const link = async (from: string, to: string) => {
    if (view.ephemeral.folded.has(to)) {
      setSaid(shownStore.folding?.words.opened ?? '');
      open(to);
      return;
    }
    setLinkingFrom(null);
    const outcome = await dispatch({ type: 'link.add', from, to });
    const { nodes } = store.getState().document;
    const words = { from: nodes[from]?.title ?? '', to: nodes[to]?.title ?? '' };
    setSaid(outcome.ok ? t('outline.linked', words) : outcome.error);
  };
  const act = async (action: OutlineAction) => {
    const { document } = store.getState();
    switch (action.kind) {
      case 'go':
        lineAt(tree.current, action.to)?.focus();
        return;
      case 'follow':
        follow(action.nodeId);
        setSaid(t('outline.followed', { from: rowTitle(rows[at]) }));
        return;
      case 'open':
        open(action.nodeId);
        return;
      case 'startLink': {
        const from = document.nodes[action.from];
        setLinkingFrom(from?.id ?? null);
        if (from) setSaid(t('outline.linking', { from: from.title }));
        return;
      }
      case 'cancelLink':
        setLinkingFrom(null);
        setSaid(t('outline.linkCancelled'));
        return;
      case 'endLink':
        await link(action.from, action.to);
        return;
      case 'move': {
        const nodeIds = withContents(document.nodes, new Set([action.nodeId]));
        await send({ type: 'node.move', moves: movesBy(document, nodeIds, action.dx, action.dy) });
        return;
      }
      case 'resize': {
        const node = document.nodes[action.nodeId];
        const command = node && resizeStep(node, action.step);
        if (!command) return;
        const { width = 0, height = 0 } = command.changes;
        await send(command, t('outline.resized', { width, height }));
        return;
      }
      case 'hold': {
        const command = nextHold(document, [action.linkId]);
        if (command) await send(command, t(`link.hold.${command.hold ?? 'off'}`));
        return;
      }
      case 'command':
        await send(withContentsOfFolded(action.command, document.nodes, view.ephemeral.folded));
        return;
      default:
        action satisfies never;
    }
  };
  return { said: typeof said === 'string' ? said : problemText(said), linkingFrom, open, act };
}

/** A removal takes the contents of folded groups with it. */
function withContentsOfFolded(command: Command, nodes: CanvasDocument['nodes'], folded: ReadonlySet<string>): Command {
  if (command.type !== 'selection.remove') return command;
  return { ...command, nodeIds: [...withFoldedContents(nodes, folded, new Set(command.nodeIds))] };
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
