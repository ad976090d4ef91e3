import { useMemo } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nodeHue } from '../../../model/agents/roles.ts';
import { cardViews } from '../../../model/card-view.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { nodeIconName } from '../../../ui/icons/role-icon-name.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { useActions } from '../actions/use-actions.ts';
import { useFlyToNode } from '../camera/use-show-node.ts';
import { type ActionName, actionTable } from '../frame/action-table.ts';
import { shortcutLabel } from '../frame/shortcut-label.ts';
import { foundItems, type PaletteItem, type PaletteSection } from './palette-items.ts';
import { type Searchable, searchable, searchNodes } from './search-nodes.ts';
import { useAddItems } from './use-add-items.ts';

/** The maximum of listed cards. */
const listedNodes = 50;
/** The maximum of listed cards for a short query, so that they do not push the actions out of view. */
const nodesBesideActions = 6;

type PaletteFind = { sections: PaletteSection[]; matches: Searchable };

/**
 * Returns what the palette lists for a query: cards, items to add, and actions. Reads the state once, when the palette opens. A chosen card is
 * shown; with `linkFrom` it gets a link from that card.
 */
export function usePaletteSections(query: string, scope: 'all' | 'nodes', linkFrom?: string): PaletteFind {
  const { t } = useTranslation('actions');
  const store = useStore();
  const actions = useActions();
  const fly = useFlyToNode();
  const dispatch = useDispatch();
  const added = useAddItems();
  const cards = useMemo(() => searchable(store.getState().document.nodes, titleOf), [store]);
  const states = useMemo(() => cardViews(store.getState().run), [store]);

  const matches = useMemo(() => (query.trim() === '' && scope === 'all' ? [] : searchNodes(cards, query)), [cards, query, scope]);
  const sections = useMemo(() => {
    const nodeItem = ({ node, title }: Searchable[number]): PaletteItem => ({
      id: `node-${node.id}`,
      title,
      note: node.description?.trim() === title ? '' : (node.description ?? ''),
      look: { kind: 'role', icon: nodeIconName(node), hue: nodeHue(node) },
      keys: null,
      state: states[node.id]?.state ?? null,
      node,
      run: () => (linkFrom === undefined ? fly(node.id) : void dispatch({ type: 'link.add', from: linkFrom, to: node.id })),
    });
    const nodes = matches
      .slice(0, scope === 'nodes' ? listedNodes : query.trim().length < 3 ? nodesBesideActions : listedNodes)
      .map(nodeItem);
    if (scope === 'nodes') return [{ name: 'nodes' as const, items: nodes }];

    const done = (Object.keys(actionTable) as ActionName[]).flatMap((action): PaletteItem[] => {
      const { can, run: act } = actions[action];
      if (action === 'palette' || (can && !can())) return [];
      const { icon, keys } = actionTable[action];
      return [
        {
          id: `action-${action}`,
          title: t(`name.${action}`),
          also: t(`also.${action}`),
          note: '',
          look: { kind: 'action', icon },
          keys: keys?.[0] ? shortcutLabel(keys[0]) : null,
          state: null,
          node: null,
          run: () => act(),
        },
      ];
    });
    return [
      { name: 'nodes' as const, items: nodes },
      { name: 'actions' as const, items: foundItems(done, query.trim()) },
      { name: 'add' as const, items: foundItems(added(), query.trim()) },
    ];
  }, [matches, states, query, scope, linkFrom, dispatch, actions, fly, t, added]);
  return { sections: sections.filter(({ items }) => items.length > 0), matches };
}

function titleOf(node: CanvasNode): string {
  return node.title.trim() || node.name || node.id;
}
