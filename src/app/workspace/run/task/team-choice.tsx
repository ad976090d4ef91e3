import { useMemo } from 'react';
import type { CanvasNode } from '../../../../../contract/canvas.ts';
import { nameOf } from '../../../../../rules/card.ts';
import { byPlace, resolveDialogTarget } from '../../../../model/run/starters/resolve-dialog-target.ts';
import type { WorkspaceStore } from '../../../../model/workspace-store.ts';
import { Menu, MenuItem } from '../../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ChevronDown } from '../../../../ui/icons/icons.ts';
import { useStore, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../../frame/panels.tsx';
import { useNodeCounts } from '../../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import styles from './task-row.module.css';
import { teamNames } from './team-names.ts';

/** The list's length. Another dialog is chosen on the canvas. */
const listedTeams = 100;

/** Names the team that Start begins with, and offers the others; nothing on a canvas with one dialog. R24.01 */
export function TeamChoice({ node }: { node: CanvasNode }) {
  const ids = useNodeCounts(({ dialogs }) => dialogs);
  return ids.size < 2 ? null : <Teams node={node} ids={ids} />;
}

function Teams({ node, ids }: { node: CanvasNode; ids: ReadonlySet<string> }) {
  const { t } = useTranslation('workspace');
  const store = useStore();
  const { view } = useWorkspaceContext();
  const { show } = usePanels();
  const nodes = useWorkspace(({ document }) => document.nodes);
  const dialogs = useMemo(() => [...ids].flatMap((id) => nodes[id] ?? []).sort(byPlace), [ids, nodes]);
  // Not at each letter of the task.
  const names = useMemo(
    () => teamNames(dialogs, t('trigger.dialog'), (number, title) => t('team.numbered', { number, title })),
    [dialogs, t],
  );
  const name = names.get(node.id) ?? '';
  const choose = (id: string) => {
    view.update({ selectedNodes: new Set([id]), selectedLinks: new Set() });
    show({ team: id });
  };
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className={styles.team} aria-label={t('team.choose', { title: name })} data-testid="team-choice">
          <span>{name}</span>
          <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      {dialogs.slice(0, listedTeams).map((dialog) => (
        <MenuItem key={dialog.id} chosen={dialog.id === node.id} onSelect={() => choose(dialog.id)}>
          {names.get(dialog.id)}
          <Recipient store={store} dialog={dialog} />
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Whom the team's task goes to, in the open list. */
function Recipient({ store, dialog }: { store: WorkspaceStore; dialog: CanvasNode }) {
  const { t } = useTranslation('workspace');
  const target = resolveDialogTarget(store.getState().document, dialog);
  return <small className={styles.recipient}>{t('team.to', { agent: target ? nameOf(target) : '—' })}</small>;
}
