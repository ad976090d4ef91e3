import { createPortal } from 'react-dom';
import type { Hue } from '../../../model/agents/roles.ts';
import type { AddableItem } from '../../../model/commands.ts';
import { RoleIcon } from '../../../ui/icons/role-icon.tsx';
import type { RoleIconName } from '../../../ui/icons/role-icon-name.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './drag-ghost.module.css';
import { placedSize } from './use-row-drag.ts';

type DragGhostProps = { at: { x: number; y: number }; hue: Hue; title: string; item: AddableItem; icon: RoleIconName | undefined };

/** A preview of the dragged card under the pointer, in its size on the canvas. */
export function DragGhost({ at, hue, title, item, icon }: DragGhostProps) {
  const { view } = useWorkspaceContext();
  const { width, height } = placedSize(item);
  const { zoom } = view.ephemeral.camera;
  return createPortal(
    <div
      className={styles.ghost}
      data-hue={hue}
      data-stack={item.kind === 'flow' || item.kind === 'pattern' || undefined}
      style={{ width, height, transform: `translate(${at.x - (width * zoom) / 2}px, ${at.y - (height * zoom) / 2}px) scale(${zoom})` }}
      aria-hidden
    >
      <span className={styles.tile}>{icon && <RoleIcon name={icon} size={19} />}</span>
      <span className={styles.title}>{title}</span>
    </div>,
    document.body,
  );
}
