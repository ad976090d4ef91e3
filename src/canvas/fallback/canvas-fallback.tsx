import { type ReactNode, useMemo } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { isDialog } from '../../../rules/card.ts';
import { nodeHue } from '../../model/agents/roles.ts';
import type { Dispatch } from '../../model/commands.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { MonitorX } from '../../ui/icons/icons.ts';
import { RoleTile } from '../../ui/icons/role-icon.tsx';
import { nodeIconName } from '../../ui/icons/role-icon-name.ts';
import { useOutline } from '../outline/use-outline.ts';
import { browserStorage } from '../overlay/browser-storage.ts';
import { DialogDrafts } from '../overlay/dialog/dialog-drafts.ts';
import { DialogForm } from '../overlay/dialog/dialog-form.tsx';
import { useStoreValue } from '../use-store-value.ts';
import styles from './canvas-fallback.module.css';

/** The most forms that are shown. */
const dialogsShown = 24;

type CanvasFallbackProps = {
  /** Why the canvas is not drawn. */
  fault: 'noWebgl' | 'broken';
  onRetry: () => void;
  store: WorkspaceStore;
  dispatch: Dispatch;
  readOnly: boolean;
  drafts: DialogDrafts | undefined;
  /** The outline of the canvas. */
  children: ReactNode;
};

/** Replaces a canvas that cannot be drawn: gives the reason, the dialogs' forms, and the cards and links as a list. */
export function CanvasFallback({ fault, onRetry, store, dispatch, readOnly, drafts: given, children }: CanvasFallbackProps) {
  const { t } = useTranslation('canvas');
  const projectId = useStoreValue(store, (state) => state.project?.id ?? null);
  const drafts = useMemo(() => given ?? new DialogDrafts(browserStorage(), projectId), [given, projectId]);
  const outline = useOutline(store);
  const dialogs = outline.nodes.filter(isDialog).slice(0, dialogsShown);
  return (
    <div className={styles.fallback} data-canvas-control data-scrolls data-testid="canvas-fallback">
      <div className={styles.column}>
        <div className={styles.notice} role="alert">
          <MonitorX size={20} strokeWidth={1.75} aria-hidden />
          <div>
            <h2>{t(`fault.${fault}.title`)}</h2>
            <p>{t(`fault.${fault}.text`)}</p>
          </div>
          {fault === 'broken' && (
            <Button variant="primary" size="s" onClick={onRetry}>
              {t('fault.broken.retry')}
            </Button>
          )}
        </div>
        {dialogs.length > 0 && (
          <div className={styles.dialogs}>
            {dialogs.map((node) => (
              <div key={node.id} className={styles.dialog} data-hue={nodeHue(node)}>
                <DialogHead node={node} />
                <DialogForm
                  nodeId={node.id}
                  store={store}
                  view={null}
                  index={null}
                  dispatch={dispatch}
                  drafts={drafts}
                  readOnly={readOnly}
                />
              </div>
            ))}
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

/** The parts of a dialog's card that the scene would draw. */
function DialogHead({ node }: { node: CanvasNode }) {
  return (
    <div className={styles.head}>
      <RoleTile name={nodeIconName(node)} hue={nodeHue(node)} size={36} />
      <h3>{node.title}</h3>
    </div>
  );
}
