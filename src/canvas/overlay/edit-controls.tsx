import type { Dispatch } from '../../model/commands.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import type { CanvasView } from '../canvas-view.ts';
import { LinkRemoveButton } from './links/link-remove-button.tsx';
import { NameEditor } from './name-editor.tsx';
import { ResizeHandles } from './resize/resize-handles.tsx';

type Props = { store: WorkspaceStore; view: CanvasView; dispatch: Dispatch; mobile: boolean };

/** The controls that edit the canvas, with a script of their own: a canvas that is only shown needs none. */
export function EditControls({ mobile, ...props }: Props) {
  return (
    <>
      {!mobile && (
        <>
          <LinkRemoveButton {...props} />
          <ResizeHandles {...props} />
        </>
      )}
      <NameEditor {...props} />
    </>
  );
}
