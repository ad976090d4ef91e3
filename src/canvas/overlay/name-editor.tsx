import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { isNote as isNoteNode } from '../../../rules/card.ts';
import { nodeHue } from '../../model/agents/roles.ts';
import type { Dispatch } from '../../model/commands.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import { isLocked } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { LeftOutNote, useLeftOut } from '../../ui/controls/fields/left-out.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { isComposing, isEnter, isSendKey } from '../../ui/typed-keys.ts';
import type { CanvasView, EphemeralState } from '../canvas-view.ts';
import { isCard } from '../folding/folded-records.ts';
import { heldKeys } from '../held-keys.ts';
import { useStoreValue } from '../use-store-value.ts';
import { followDrawn } from './follow-drawn.ts';
import styles from './name-editor.module.css';

type Props = { store: WorkspaceStore; view: CanvasView; dispatch: Dispatch };

/** Between the card and what is said below it, and its least width (world px). */
const noteGap = 8;
const minNoteWidth = 240;

const maxLength = { title: 200, text: 4_000 } as const;

/**
 * Edits the name of a card or group, or the text of a note, in place. While a run locks the document no editor opens;
 * an open editor keeps its text until the run ends.
 */
export function NameEditor({ store, view, dispatch }: Props) {
  const [editing, setEditing] = useState(view.ephemeral.editing);
  useEffect(() => {
    // What was typed before may have ended the edit already.
    setEditing(view.ephemeral.editing);
    return view.subscribe((ephemeral, changed) => changed.has('editing') && setEditing(ephemeral.editing));
  }, [view]);
  const node = useStoreValue(store, (state) => (editing === null ? undefined : state.document.nodes[editing]));
  const locked = useStoreValue(store, (state) => isLocked(state.run));
  const openBefore = useRef<string | null>(null);
  useEffect(() => {
    if (!locked) openBefore.current = editing;
    if (editing !== null && (!node || openBefore.current !== editing)) view.update({ editing: null });
  }, [editing, locked, node, view]);
  const mayStay = !locked || openBefore.current === editing;
  return node && mayStay ? <Editor key={node.id} node={node} locked={locked} view={view} dispatch={dispatch} /> : null;
}

type ElementRef = RefObject<HTMLElement | null>;

type EditorProps = { node: CanvasNode; locked: boolean; view: CanvasView; dispatch: Dispatch };

function Editor(props: EditorProps) {
  const { node, view } = props;
  const { t } = useTranslation('canvas');
  const isNote = isNoteNode(node);
  const isFrame = !isNote && !isCard(node);
  const box = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const { ref, frame, leftOut, forget } = useLeftOut();
  const { text, setText, end, onKeyDown } = useEditedText(props, frame, box);
  useOnNode(frame, node, view);
  const { width, height } = nodeSize(node);
  const shared = {
    ref: box,
    value: text,
    'data-canvas-control': true,
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
    onKeyDown,
    onBlur: (event: FocusEvent) => frame.current?.contains(event.relatedTarget) || end(true),
  };
  return (
    <div ref={ref} className={styles.place} data-hue={nodeHue(node)} data-name-editor data-testid="name-editor">
      {isNote ? (
        <textarea
          {...shared}
          className={styles.note}
          style={{ width, height }}
          maxLength={maxLength.text}
          aria-label={t('annotation.text')}
          placeholder={t('annotation.placeholder')}
        />
      ) : (
        <input
          {...shared}
          className={isFrame ? styles.groupName : styles.cardName}
          style={isFrame ? { width: Math.max(160, Math.min(width, 420)) } : { width: width - 76 }}
          maxLength={maxLength.title}
          aria-label={t('annotation.name', { title: node.title })}
        />
      )}
      {leftOut && (
        <div className={styles.leftOut} style={{ top: height + noteGap, width: Math.max(width, minNoteWidth) }}>
          <LeftOutNote
            leftOut={leftOut}
            onClose={() => {
              forget();
              box.current?.focus({ preventScroll: true });
            }}
          />
        </div>
      )}
    </div>
  );
}

/** The text of the box, first what was typed before the editor was loaded, and what ends the edit. */
function useEditedText({ node, locked, view, dispatch }: EditorProps, frame: ElementRef, box: RefObject<HTMLInputElement | null>) {
  const isNote = isNoteNode(node);
  const before = isNote ? (node.description ?? '') : node.title;
  const [begun] = useState(() => heldKeys(view).read(!isNote, before));
  const [text, setText] = useState(begun.text);
  /** A key that ends the edit also removes the box, which then loses focus: only the first of the two counts. */
  const isDone = useRef(false);
  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true });
    if (!begun.isTyped) box.current?.select();
  }, [begun, box]);
  const end = useCallback(
    (keeps: boolean) => {
      const written = isNote ? text : text.trim();
      const isChange = written !== before && (isNote || written !== '');
      if (isDone.current || (keeps && isChange && locked)) return;
      isDone.current = true;
      view.update({ editing: null });
      frame.current?.closest<HTMLElement>('[role="application"]')?.focus({ preventScroll: true });
      if (!keeps || !isChange) return;
      void dispatch({ type: 'node.update', id: node.id, changes: isNote ? { description: written } : { title: written } });
    },
    [view, dispatch, frame, node.id, isNote, text, before, locked],
  );
  useEffect(() => {
    if (begun.isEnded) end(true);
  }, [begun, end]);
  useEndOnUnlock(locked, box, end);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const sends = isNote ? isSendKey(event) : isEnter(event);
    if (event.key !== 'Escape' && !sends) return;
    event.preventDefault();
    event.stopPropagation();
    end(sends || isNote);
  };
  return { text, setText, end, onKeyDown };
}

/** Keeps the editor at the corner of its node while the camera moves. */
function useOnNode(frame: ElementRef, { x, y }: CanvasNode, view: CanvasView): void {
  useLayoutEffect(() => {
    const follow = ({ camera }: EphemeralState) => {
      const { style } = frame.current as HTMLElement;
      style.transform = `translate(${x * camera.zoom + camera.x}px, ${y * camera.zoom + camera.y}px) scale(${camera.zoom})`;
    };
    return followDrawn(view, ['camera'], follow);
  }, [frame, view, x, y]);
}

/** Keeps what was typed when the run ends, if the box has lost the focus meanwhile. */
function useEndOnUnlock(locked: boolean, box: ElementRef, end: (keeps: boolean) => void) {
  const wasLocked = useRef(locked);
  useEffect(() => {
    if (wasLocked.current && !locked && document.activeElement !== box.current) end(true);
    wasLocked.current = locked;
  }, [locked, box, end]);
}
