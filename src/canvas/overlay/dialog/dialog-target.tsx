import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nodeHue } from '../../../model/agents/roles.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { agentsToAddress } from '../../../model/run/starters/resolve-dialog-target.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RoleIcon } from '../../../ui/icons/role-icon.tsx';
import { nodeIconName } from '../../../ui/icons/role-icon-name.ts';
import styles from './dialog-form.module.css';
import { useDialogTarget } from './use-dialog-target.ts';

/** The list's length. The user reaches an agent further away by drawing a link to it. */
const listedAgents = 100;

type Props = { node: CanvasNode; store: WorkspaceStore; dispatch: Dispatch; disabled: boolean };

/** Selects the agent that gets the message: one agent by choice, or the agent that follows from links and distances. W4.07 */
export function DialogTarget({ node, store, dispatch, disabled }: Props) {
  const { t } = useTranslation('canvas');
  const { target, count } = useDialogTarget(store, node);
  const choose = (agent: CanvasNode | null) =>
    void dispatch({
      type: 'node.update',
      id: node.id,
      changes: { targetAgentId: agent?.id, targetAgentTitle: agent?.title },
    });
  const isOne = count < 2;
  const name = target ? (isOne ? target.title : t('dialog.agents', { count })) : t('dialog.noTarget');
  return (
    <div className={styles.target}>
      <span className={styles.muted}>{t('common:recipient')}</span>
      <Menu
        trigger={
          <button
            type="button"
            className={styles.chip}
            disabled={disabled}
            data-hue={target && isOne ? nodeHue(target) : 'grey'}
            aria-label={t('dialog.target', { agent: name })}
          >
            {target && isOne && <RoleIcon name={nodeIconName(target)} size={13} />}
            <span>{name}</span>
          </button>
        }
      >
        <MenuItem chosen={!node.targetAgentId} onSelect={() => choose(null)}>
          {t('dialog.byLinks')}
        </MenuItem>
        <MenuSeparator />
        <AgentItems store={store} chosenId={node.targetAgentId} onChoose={choose} />
      </Menu>
    </div>
  );
}

function AgentItems({
  store,
  chosenId,
  onChoose,
}: {
  store: WorkspaceStore;
  chosenId: string | undefined;
  onChoose: (agent: CanvasNode) => void;
}) {
  const agents = agentsToAddress(store.getState().document).slice(0, listedAgents);
  return agents.map((agent) => (
    <MenuItem
      key={agent.id}
      chosen={agent.id === chosenId}
      icon={
        <span data-hue={nodeHue(agent)} className={styles.hue}>
          <RoleIcon name={nodeIconName(agent)} size={15} />
        </span>
      }
      onSelect={() => onChoose(agent)}
    >
      {agent.title}
    </MenuItem>
  ));
}
