import { type ReactNode, Suspense, useMemo, useRef } from 'react';
import type { Dispatch } from '../../model/commands.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { AbsentUntilOnline } from '../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import type { CanvasView } from '../canvas-view.ts';
import type { FoldedStore } from '../folding/folded-store.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import { useStoreValue } from '../use-store-value.ts';
import { browserStorage } from './browser-storage.ts';
import styles from './canvas-overlay.module.css';
import { DialogDrafts } from './dialog/dialog-drafts.ts';
import { DialogForm } from './dialog/dialog-form.tsx';
import { useDialogsInView } from './dialog/use-dialogs-in-view.ts';
import { LinkBadges } from './links/link-badges.tsx';

const QuestionBadges = lazyPart(() => import('./question-badges.tsx').then((file) => file.QuestionBadges), AbsentUntilOnline);
const EditControls = lazyPart(() => import('./edit-controls.tsx').then((file) => file.EditControls), AbsentUntilOnline);

type CanvasOverlayProps = {
  store: WorkspaceStore;
  /** What is shown of it: with folded groups as cards. Controls are placed by it. */
  shownStore: FoldedStore;
  view: CanvasView;
  index: DocumentIndex;
  dispatch: Dispatch;
  readOnly: boolean;
  mobile: boolean;
  /** The dialogs' unsent texts, if other parts of the page need them too. By default the overlay makes its own. */
  drafts?: DialogDrafts | undefined;
  /** Called when the badge of a card that asks is pressed. */
  onOpenQuestion?: ((questionId: string) => void) | undefined;
  /** Further controls over the cards. */
  children?: ReactNode;
};

/** The canvas's DOM controls: the dialogs' forms, which move with their cards, and the button that removes a link. */
export function CanvasOverlay({
  store,
  shownStore,
  view,
  index,
  dispatch,
  readOnly,
  mobile,
  drafts: given,
  onOpenQuestion,
  children,
}: CanvasOverlayProps) {
  const layer = useRef<HTMLDivElement>(null);
  const dialogs = useDialogsInView(layer, shownStore, view);
  const projectId = useStoreValue(store, (state) => state.project?.id ?? null);
  const isAsked = useStoreValue(store, (state) => state.questions.items.length > 0);
  const drafts = useMemo(() => given ?? new DialogDrafts(browserStorage(), projectId), [given, projectId]);
  return (
    <div className={styles.overlay}>
      <div ref={layer} className={styles.layer}>
        {dialogs.map((id) => (
          <DialogForm
            key={id}
            nodeId={id}
            store={store}
            view={view}
            index={index}
            dispatch={dispatch}
            drafts={drafts}
            readOnly={readOnly}
          />
        ))}
      </div>
      {onOpenQuestion && isAsked && (
        <Suspense fallback={null}>
          <QuestionBadges store={shownStore} view={view} onOpen={onOpenQuestion} />
        </Suspense>
      )}
      {children}
      <LinkBadges store={store} shownStore={shownStore} view={view} dispatch={dispatch} readOnly={readOnly} />
      {!readOnly && (
        <Suspense fallback={null}>
          <EditControls store={shownStore} view={view} dispatch={dispatch} mobile={mobile} />
        </Suspense>
      )}
    </div>
  );
}
