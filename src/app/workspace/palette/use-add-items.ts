import { useCallback } from 'react';
import { projectFlows } from '../../../../contract/flow-templates.ts';
import { roleHue } from '../../../model/agents/roles.ts';
import type { AddableItem } from '../../../model/commands.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { roleIconName } from '../../../ui/icons/role-icon-name.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { readNodeCounts } from '../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { agentMenu } from '../sidebar/agent-menu.ts';
import { usePatternRows } from '../sidebar/use-pattern-rows.ts';
import { usePlace } from '../sidebar/use-place.ts';
import { useUserRows } from '../sidebar/use-user-rows.ts';
import { placedUser } from '../sidebar/user-section.tsx';
import type { PaletteItem } from './palette-items.ts';

/** Returns the function that lists what the palette can put on the canvas now: agents, people, flows and patterns. */
export function useAddItems(): () => PaletteItem[] {
  const { t } = useTranslation('actions');
  const { t: name } = useTranslation('workspace');
  const store = useStore();
  const { readOnly } = useWorkspaceContext();
  const { show } = usePanels();
  const place = usePlace();
  const people = useUserRows('');
  const patterns = usePatternRows('');
  return useCallback(() => {
    const { agents, run } = store.getState();
    if (readOnly || isLocked(run)) return [];
    const row = (id: string, title: string, look: PaletteItem['look'], act: () => void): PaletteItem => {
      return { id, title, look, note: '', keys: null, state: null, node: null, run: act };
    };
    const inserted = (id: string, title: string, item: AddableItem): PaletteItem => ({
      ...row(id, t('palette.addFlow', { title }), { kind: 'role', icon: 'architect', hue: 'grey' }, () => place(item)),
      also: t('palette.flowWords'),
    });
    return [
      ...agentMenu(agents, readNodeCounts(store).byAgent).map(({ role, title, freeIds: [agentId], placedIds: [placedId = ''] }) => {
        const look = { kind: 'role', icon: roleIconName(role), hue: roleHue(role) } as const;
        return agentId === undefined
          ? row(`buy-${role}`, t('palette.buyAgent', { title }), look, () =>
              show({ window: { kind: 'buyAgent', title, agentId: placedId } }),
            )
          : row(`agent-${role}`, t('palette.addAgent', { title }), look, () => place({ kind: 'agent', agentId }));
      }),
      ...people
        .filter(({ count }) => count > 0)
        .map((person) =>
          row(
            `person-${person.key}`,
            t('palette.addPerson', { title: person.title }),
            { kind: 'role', icon: 'user', hue: person.hue },
            () => place(placedUser(person, name(`user.${person.role}`))),
          ),
        ),
      ...projectFlows.map(({ id, titleKey }) =>
        inserted(`flow-${id}`, name(titleKey as 'flow.fullCycle'), { kind: 'flow', templateId: id }),
      ),
      ...patterns.map(({ id, title }) => inserted(`pattern-${id}`, title, { kind: 'pattern', patternId: id })),
    ];
  }, [store, readOnly, show, place, people, patterns, t, name]);
}
