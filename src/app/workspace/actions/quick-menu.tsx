import { Fragment, type ReactNode } from 'react';
import { flowTemplates, projectFlows } from '../../../../contract/flow-templates.ts';
import { roleHue } from '../../../model/agents/roles.ts';
import type { AddableItem } from '../../../model/commands.ts';
import { MenuItem, MenuNote, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { Submenu } from '../../../ui/controls/overlays/submenu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Bot, Repeat, Search, UserRound, Workflow } from '../../../ui/icons/icons.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../ui/icons/role-icon-name.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useNodeCounts } from '../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { agentMenu } from '../sidebar/agent-menu.ts';
import { PatternIcon } from '../sidebar/pattern-icon.tsx';
import { usePatternRows } from '../sidebar/use-pattern-rows.ts';
import { usePlace } from '../sidebar/use-place.ts';
import { placedSize } from '../sidebar/use-row-drag.ts';
import { useUserRows } from '../sidebar/use-user-rows.ts';
import { placedUser } from '../sidebar/user-section.tsx';

type Point = { x: number; y: number };

type DropProps = {
  /** The card that the link leads from. */
  from: string;
  /** Where the link ends (world px): the new card has its port there. */
  at: Point;
};

/** What a link that ends on an empty place may lead to: what is placed there, or a card that is found. A flow has no start of its own there. D2.01 D4.10 */
export function DropMenu({ from, at }: DropProps) {
  const { t } = useTranslation('actions');
  const place = usePlace();
  const { show } = usePanels();
  const put = (item: AddableItem) => place(item, { x: at.x, y: at.y - placedSize(item).height / 2 }, from);
  return (
    <>
      {useQuickSections().map(({ id, title, rows }) =>
        id === 'flows' ? (
          <Submenu key={id} label={title} icon={<Workflow size={16} strokeWidth={1.75} aria-hidden />}>
            <QuickRows rows={rows} onPut={put} />
          </Submenu>
        ) : (
          <Fragment key={id}>
            <MenuNote>{title}</MenuNote>
            <QuickRows rows={rows} onPut={put} />
          </Fragment>
        ),
      )}
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

type AddProps = {
  /** Where the menu was opened (world px). */
  at: Point;
  /** The card that was selected alone: patterns are placed around it. */
  near: string | undefined;
};

/** What can be placed where the menu of the empty canvas was opened: agents, people and patterns. D4.12 */
export function AddMenus({ at, near }: AddProps) {
  const place = usePlace();
  const put = (item: AddableItem) => (item.kind === 'pattern' && near !== undefined ? place(item, undefined, near) : place(item, at));
  return (
    <>
      {useQuickSections().map(({ id, title, rows }) => {
        const Icon = icons[id];
        return (
          <Submenu key={id} label={title} icon={<Icon size={16} strokeWidth={1.75} aria-hidden />}>
            <QuickRows rows={rows} onPut={put} />
          </Submenu>
        );
      })}
      <MenuSeparator />
    </>
  );
}

const icons = { agents: Bot, people: UserRound, flows: Workflow, patterns: Repeat } as const;

type QuickRow = { key: string; icon: ReactNode; title: string; item: AddableItem };
type QuickSection = { id: keyof typeof icons; title: string; rows: QuickRow[] };

function QuickRows({ rows, onPut }: { rows: readonly QuickRow[]; onPut: (item: AddableItem) => void }) {
  return rows.map(({ key, icon, title, item }) => (
    <MenuItem key={key} icon={icon} onSelect={() => onPut(item)}>
      {title}
    </MenuItem>
  ));
}

/** Agents and people of whom one is left, flows, and patterns. */
function useQuickSections(): QuickSection[] {
  const { t } = useTranslation('workspace');
  const { demo } = useWorkspaceContext();
  const agents = useWorkspace((state) => state.agents);
  const placed = useNodeCounts(({ byAgent }) => byAgent);
  const people = useUserRows('');
  const patterns = usePatternRows('');
  const sections: QuickSection[] = [
    {
      id: 'agents',
      title: t('sidebar.agents'),
      rows: agentMenu(agents, placed).flatMap(({ role, title, freeIds: [agentId] }) =>
        agentId === undefined
          ? []
          : {
              key: role,
              title,
              item: { kind: 'agent', agentId },
              icon: <RoleTile name={roleIconName(role)} hue={roleHue(role)} size={20} />,
            },
      ),
    },
    {
      id: 'people',
      title: t('sidebar.users'),
      rows: people.flatMap((row) =>
        row.count === 0
          ? []
          : {
              key: row.key,
              title: row.title,
              item: placedUser(row, t(`user.${row.role}`)),
              icon: <RoleTile name="user" hue={row.hue} size={20} />,
            },
      ),
    },
    {
      id: 'flows',
      title: t('sidebar.flows'),
      rows: (demo ? flowTemplates : projectFlows).map(({ id, titleKey }) => ({
        key: id,
        title: t(titleKey as 'flow.fullCycle'),
        item: { kind: 'flow', templateId: id },
        icon: <Workflow size={16} strokeWidth={1.75} aria-hidden />,
      })),
    },
    {
      id: 'patterns',
      title: t('sidebar.patterns'),
      rows: patterns.map(({ id, title }) => ({
        key: id,
        title,
        item: { kind: 'pattern', patternId: id },
        icon: <PatternIcon id={id} size={16} />,
      })),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}
