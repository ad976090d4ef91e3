import { roleHue } from '../../../model/agents/roles.ts';
import type { PlaceableItem } from '../../../model/commands.ts';
import { MenuItem, MenuNote, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Search } from '../../../ui/icons/icons.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../ui/icons/role-icon-name.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { agentMenu } from '../sidebar/agent-menu.ts';
import { usePlace } from '../sidebar/use-place.ts';
import { placedSize } from '../sidebar/use-row-drag.ts';
import { useUserRows } from '../sidebar/use-user-rows.ts';
import { placedUser } from '../sidebar/user-section.tsx';
import { useNodeCounts } from '../use-node-counts.ts';

type Props = {
  /** The card that the link leads from. */
  from: string;
  /** Where the link ends (world px): the new card has its port there. */
  at: { x: number; y: number };
};

/** What a link that ends on an empty place may lead to: an agent or a person that is placed there, or a card that is found. D2.01 */
export function DropMenu({ from, at }: Props) {
  const { t } = useTranslation('actions');
  const { t: name } = useTranslation('workspace');
  const agents = useWorkspace((state) => state.agents);
  const placed = useNodeCounts(({ byAgent }) => byAgent);
  const free = agentMenu(agents, placed).filter(({ freeIds }) => freeIds.length > 0);
  const people = useUserRows('').filter(({ count }) => count > 0);
  const place = usePlace();
  const { show } = usePanels();
  const put = (item: PlaceableItem) => place(item, { x: at.x, y: at.y - placedSize(item).height / 2 }, from);
  return (
    <>
      {free.length > 0 && <MenuNote>{name('sidebar.agents')}</MenuNote>}
      {free.map(({ role, title, freeIds: [agentId = ''] }) => (
        <MenuItem
          key={role}
          icon={<RoleTile name={roleIconName(role)} hue={roleHue(role)} size={20} />}
          onSelect={() => void put({ kind: 'agent', agentId })}
        >
          {title}
        </MenuItem>
      ))}
      {people.length > 0 && <MenuNote>{name('sidebar.users')}</MenuNote>}
      {people.map((row) => (
        <MenuItem
          key={row.key}
          icon={<RoleTile name="user" hue={row.hue} size={20} />}
          onSelect={() => void put(placedUser(row, name(`user.${row.role}`)))}
        >
          {row.title}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem
        icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
        onSelect={() => show({ window: { kind: 'palette', scope: 'nodes', linkFrom: from } })}
      >
        {t('menu.findCard')}
      </MenuItem>
    </>
  );
}
