import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isStepCard, isWorkingAgent } from '../../../../rules/card.ts';
import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { isFolded } from '../../../canvas/folding/folded-records.ts';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { openGroups } from '../../../canvas/folding/open-groups.ts';
import type { Alignment, Command, Dispatch, Distribution } from '../../../model/commands.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import type { Panels } from '../frame/panels.tsx';
import type { ActionHandler } from './action-handler.ts';

const alignActions = {
  alignLeft: 'left',
  alignCentre: 'centre',
  alignRight: 'right',
  alignTop: 'top',
  alignMiddle: 'middle',
  alignBottom: 'bottom',
} as const satisfies Record<string, Alignment>;

const distributeActions = {
  distributeHorizontally: 'horizontally',
  distributeVertically: 'vertically',
} as const satisfies Record<string, Distribution>;

export type ArrangeAction = keyof typeof alignActions | keyof typeof distributeActions;

export const arrangeActions = [...Object.keys(alignActions), ...Object.keys(distributeActions)] as ArrangeAction[];

type CardAction = 'disableCards' | 'cardSettings' | 'runCard' | 'runFromCard';

type SelectionParts = {
  store: WorkspaceStore;
  view: CanvasView;
  dispatch: Dispatch;
  isEditable: () => boolean;
  show: (changes: Partial<Panels>) => void;
};

/** The actions on several selected cards. Each is one command, and one step of undo. */
export function selectionActions(parts: SelectionParts): Record<ArrangeAction | CardAction, ActionHandler> {
  const { store, view, dispatch, isEditable, show } = parts;
  const selected = () => [...view.ephemeral.selectedNodes];
  const arrange = (least: number, commandOf: (chosen: { nodeIds: string[]; folded: string[] }) => Command): ActionHandler => ({
    can: () => isEditable() && view.ephemeral.selectedNodes.size >= least,
    run: async () => {
      const { nodes } = foldedStore(store, view).getState().document;
      const shown = selected().flatMap((id) => nodes[id] ?? []);
      const nodeIds = shown.map(({ id }) => id);
      const outcome = await dispatch(commandOf({ nodeIds, folded: shown.filter(isFolded).map(({ id }) => id) }));
      // A card that comes into the frame of a folded group would no longer be seen.
      if (outcome.ok) openGroups(view, store, nodeIds);
    },
  });
  // Of three or more nodes the outer ones stay where they are.
  const align = (to: Alignment) => arrange(2, (chosen) => ({ type: 'nodes.align', ...chosen, to }));
  const distribute = (along: Distribution) => arrange(3, (chosen) => ({ type: 'nodes.distribute', ...chosen, along }));
  const only = () => (view.ephemeral.selectedNodes.size === 1 ? store.getState().document.nodes[selected()[0] ?? ''] : undefined);
  const isAtRest = () => isEditable() && store.getState().run.phase === 'stopped';
  const runFrom = async (nodeId: string, alone: boolean) => {
    const outcome = await dispatch({ type: 'run.fromCard', nodeId, alone });
    // Without results the run begins on a task.
    if (!outcome.ok && outcome.error.code === 'run.noResults') show({ startQuestion: { dialogNodeId: null, cardId: nodeId, alone } });
  };
  return {
    runCard: {
      can: () => isAtRest() && isOneOf(only(), isWorkingAgent),
      run: () => void runFrom(only()?.id ?? '', true),
    },
    runFromCard: {
      can: () => isAtRest() && isOneOf(only(), isStepCard),
      run: () => void runFrom(only()?.id ?? '', false),
    },
    alignLeft: align('left'),
    alignCentre: align('centre'),
    alignRight: align('right'),
    alignTop: align('top'),
    alignMiddle: align('middle'),
    alignBottom: align('bottom'),
    distributeHorizontally: distribute('horizontally'),
    distributeVertically: distribute('vertically'),
    disableCards: {
      can: () => isEditable() && view.ephemeral.selectedNodes.size > 0,
      run: () => void dispatch({ type: 'nodes.disable', nodeIds: selected() }),
    },
    cardSettings: {
      can: () => isEditable() && view.ephemeral.selectedNodes.size > 0,
      run: () => show({ window: { kind: 'cards', nodeIds: selected() } }),
    },
  };
}

function isOneOf(node: CanvasNode | undefined, fits: (node: CanvasNode) => boolean): boolean {
  return node !== undefined && fits(node);
}
