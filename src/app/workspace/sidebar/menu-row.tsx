import type { ReactNode } from 'react';
import type { Hue } from '../../../model/agents/roles.ts';
import type { AddableItem } from '../../../model/commands.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CopyPlus, Plus, Settings, X } from '../../../ui/icons/icons.ts';
import { RoleIcon } from '../../../ui/icons/role-icon.tsx';
import type { RoleIconName } from '../../../ui/icons/role-icon-name.ts';
import { useShowAgent } from '../camera/use-show-node.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { DragGhost } from './drag-ghost.tsx';
import styles from './sidebar.module.css';
import { useRowDrag } from './use-row-drag.ts';

export type PlaceSource = { item: AddableItem; title: string };

export type MenuRowProps = {
  title: string;
  hue: Hue;
  /** An icon or an avatar. */
  icon?: RoleIconName;
  tile?: ReactNode;
  /** The number of items left to place. */
  count?: number;
  note?: string;
  /** The item that is placed; null when none is left. */
  source: PlaceSource | null;
  /** An agent of this row on the canvas, which is shown there when none is left. */
  placedAgentId?: string | undefined;
  /** The agent whose settings the row opens. */
  settingsAgentId?: string | undefined;
  /** Duplicates that agent; where none is left, its copy is placed at once. */
  onDuplicate?: (() => void) | undefined;
  /** A further action when none is left. */
  onBuy?: (() => void) | undefined;
  /** Removes the row from the menu. */
  onRemove?: (() => void) | undefined;
  disabled: boolean;
  onPlace: (item: AddableItem, at?: { x: number; y: number }) => void;
};

/** One row of the sidebar: a click places it at the next free place, a drag where it is dropped. */
export function MenuRow({
  title,
  hue,
  icon,
  tile,
  count,
  note,
  source,
  placedAgentId,
  settingsAgentId,
  onDuplicate,
  onBuy,
  onRemove,
  disabled,
  onPlace,
}: MenuRowProps) {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  const showAgent = useShowAgent();
  const { mobile } = useWorkspaceContext();
  const spent = source === null;
  const drag = useRowDrag(disabled ? null : source, onPlace);
  const buy = spent ? onBuy : undefined;
  const actions = [settingsAgentId, onDuplicate, onRemove, buy].filter(Boolean).length;
  const canShow = spent && placedAgentId !== undefined;
  return (
    <li className={styles.item} data-hue={hue} data-spent={spent || undefined}>
      <button
        type="button"
        className={styles.row}
        aria-disabled={(disabled && !canShow) || (spent && !canShow) || undefined}
        title={spent ? t(canShow ? 'sidebar.onCanvas' : 'sidebar.none') : disabled ? undefined : t('sidebar.dragHint')}
        {...drag.handlers}
        onClick={() => {
          if (drag.justDragged()) return;
          if (canShow) showAgent(placedAgentId);
          else if (source && !disabled) onPlace(source.item);
        }}
      >
        <span className={styles.tile}>{icon ? <RoleIcon name={icon} size={14} /> : tile}</span>
        <span className="visually-hidden">{t(canShow ? 'sidebar.show' : 'sidebar.place')} </span>
        <span className={styles.words}>{title}</span>
        {note && <span className={styles.figure}>{note}</span>}
        {count !== undefined && (
          <span className={styles.figure} aria-hidden={spent || undefined}>
            {count}
          </span>
        )}
      </button>
      {actions > 0 && (
        <span className={styles.rowActions} data-actions={actions}>
          {onDuplicate && (
            <IconButton
              label={t('sidebar.duplicate', { title })}
              size={mobile ? 40 : 24}
              icon={<CopyPlus size={mobile ? 17 : 14} />}
              onClick={onDuplicate}
            />
          )}
          {settingsAgentId && (
            <IconButton
              label={t('sidebar.settings', { title })}
              size={mobile ? 40 : 24}
              icon={<Settings size={mobile ? 17 : 14} />}
              onClick={() => show({ settingsAgentId })}
            />
          )}
          {onRemove && (
            <IconButton
              label={t('sidebar.removeUser', { title })}
              size={mobile ? 40 : 24}
              icon={<X size={mobile ? 17 : 14} />}
              onClick={onRemove}
            />
          )}
          {buy && (
            <IconButton label={t('sidebar.buy', { title })} size={mobile ? 40 : 24} icon={<Plus size={mobile ? 18 : 15} />} onClick={buy} />
          )}
        </span>
      )}
      {drag.at && source && <DragGhost at={drag.at} hue={hue} title={title} item={source.item} icon={icon} />}
    </li>
  );
}
