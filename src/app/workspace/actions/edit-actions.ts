import { isDialog, isGroup } from '../../../../rules/card.ts';
import { atRest } from '../../../canvas/camera-movement.ts';
import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { withFoldedContents } from '../../../canvas/folding/fold-changes.ts';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { toWorld } from '../../../canvas/geometry/camera.ts';
import { midpointOf } from '../../../canvas/geometry/link-path.ts';
import { routesOf } from '../../../canvas/geometry/routes/routes-of.ts';
import { startEditing } from '../../../canvas/overlay/start-editing.ts';
import { freeMiddle } from '../../../canvas/tools/zoom-step.ts';
import type { Dispatch, PlaceableItem } from '../../../model/commands.ts';
import { withContents } from '../../../model/document/annotations.ts';
import { nextHold } from '../../../model/document/links/hold-links.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { importPart } from '../../../ui/loading/import-part.ts';
import { isPointInView } from '../camera/free-view.ts';
import { fitAll, fitSelection } from '../camera/move-camera.ts';
import type { ActionHandler } from './action-handler.ts';

type EditAction =
  | 'open'
  | 'delete'
  | 'undo'
  | 'redo'
  | 'selectAll'
  | 'selectLinked'
  | 'addDialog'
  | 'addStart'
  | 'layout'
  | 'rename'
  | 'holdLinks'
  | 'linkSettings'
  | 'addNote'
  | 'group'
  | 'ungroup';

type EditParts = {
  store: WorkspaceStore;
  view: CanvasView;
  dispatch: Dispatch;
  isEditable: () => boolean;
  /** Whether holds can be set: also while a run locks the canvas. */
  canHold: () => boolean;
  place: (item: PlaceableItem, at?: { x: number; y: number }) => void;
  openNode: (nodeId: string) => void;
};

/** The actions on nodes and links; most act on the selection. */
export function editActions({ store, view, dispatch, isEditable, canHold, place, openNode }: EditParts): Record<EditAction, ActionHandler> {
  const shown = () => foldedStore(store, view).getState().document;
  const only = () => (view.ephemeral.selectedNodes.size === 1 ? ([...view.ephemeral.selectedNodes][0] ?? null) : null);
  const onlyLink = () => {
    const { selectedNodes, selectedLinks } = view.ephemeral;
    return selectedLinks.size === 1 && selectedNodes.size === 0 ? ([...selectedLinks][0] ?? null) : null;
  };
  /** Brings the middle of a link, where its settings open, into view. */
  const showLink = (id: string | null) => {
    const corners = routesOf(shown()).corners(id ?? '');
    if (corners && !isPointInView(view.ephemeral, midpointOf(corners))) fitSelection(view, shown());
  };
  const groups = () => [...view.ephemeral.selectedNodes].filter((id) => isGroup(store.getState().document.nodes[id]));
  const isAnySelected = () => view.ephemeral.selectedNodes.size + view.ephemeral.selectedLinks.size > 0;
  const add = (item: PlaceableItem): ActionHandler => ({ can: isEditable, run: (at) => place(item, at) });
  return {
    open: {
      can: () => {
        const node = store.getState().document.nodes[only() ?? ''];
        return node !== undefined && (isDialog(node) || store.getState().agents.byId[node.serverAgentId ?? ''] !== undefined);
      },
      run: () => openNode(only() ?? ''),
    },
    delete: {
      can: () => isEditable() && isAnySelected(),
      run: () => {
        const { selectedNodes, selectedLinks, folded } = view.ephemeral;
        const nodeIds = [...withFoldedContents(store.getState().document.nodes, folded, selectedNodes)];
        void dispatch({ type: 'selection.remove', nodeIds, connectionIds: [...selectedLinks] });
      },
    },
    undo: { can: () => isEditable() && store.getState().undo.canUndo, run: () => void dispatch({ type: 'history.undo' }) },
    redo: { can: () => isEditable() && store.getState().undo.canRedo, run: () => void dispatch({ type: 'history.redo' }) },
    selectAll: {
      run: () => view.update({ selectedNodes: new Set(Object.keys(shown().nodes)), selectedLinks: new Set() }),
    },
    selectLinked: {
      can: () => view.ephemeral.selectedNodes.size > 0,
      run: () => view.update({ selectedNodes: reachedFrom(view.ephemeral.selectedNodes, store), selectedLinks: new Set() }),
    },
    rename: {
      can: () => isEditable() && only() !== null,
      run: () => {
        const node = shown().nodes[only() ?? ''];
        if (node) view.update(startEditing(node, atRest(view)));
      },
    },
    holdLinks: {
      can: () => canHold() && nextHold(store.getState().document, view.ephemeral.selectedLinks) !== null,
      run: () => {
        const command = nextHold(store.getState().document, view.ephemeral.selectedLinks);
        if (command) void dispatch(command);
      },
    },
    linkSettings: {
      can: () => isEditable() && onlyLink() !== null,
      run: () => {
        showLink(onlyLink());
        view.update({ linkSettings: onlyLink() });
      },
    },
    addNote: {
      can: isEditable,
      run: async (place) => {
        const middle = toWorld(view.ephemeral.camera, freeMiddle(view.ephemeral));
        // Without its script the note lies in the middle, over what is there.
        const free = place ? null : await importPart(() => import('./free-spot.ts')).catch(() => null);
        const at = place ?? free?.freeSpot(middle, nodeSize({ type: 'note' }), store.getState().document.nodes) ?? middle;
        const outcome = await dispatch({ type: 'node.place', item: { kind: 'note' }, at: { x: Math.round(at.x), y: Math.round(at.y) } });
        const node = outcome.ok ? store.getState().document.nodes[outcome.value?.nodeIds?.[0] ?? ''] : undefined;
        if (node) view.update(startEditing(node, atRest(view)));
      },
    },
    group: {
      can: () => isEditable() && view.ephemeral.selectedNodes.size > 0,
      run: async () => {
        const outcome = await dispatch({ type: 'nodes.group', nodeIds: [...view.ephemeral.selectedNodes] });
        const node = outcome.ok ? store.getState().document.nodes[outcome.value?.nodeIds?.[0] ?? ''] : undefined;
        if (node) view.update(startEditing(node, atRest(view)));
      },
    },
    ungroup: {
      can: () => isEditable() && groups().length > 0,
      run: () => void dispatch({ type: 'selection.remove', nodeIds: groups(), connectionIds: [] }),
    },
    layout: {
      can: () => isEditable() && Object.keys(store.getState().document.nodes).length > 1,
      run: async () => {
        const chosen = withContents(store.getState().document.nodes, view.ephemeral.selectedNodes);
        const several = chosen.size > 1;
        const arrange = () => dispatch(several ? { type: 'nodes.layout', nodeIds: [...chosen] } : { type: 'nodes.layout' });
        // Without its script the cards go to their places at once.
        const animate = await importPart(() => import('../camera/animate-layout.ts')).catch(() => null);
        const outcome = await (animate ? animate.animateLayout(store, view, arrange) : arrange());
        if (!outcome.ok) return;
        if (several) fitSelection(view, shown());
        else fitAll(view, shown());
      },
    },
    addDialog: add({ kind: 'dialog' }),
    addStart: add({ kind: 'start' }),
  };
}

/** Returns the nodes and all that follow them along links. */
function reachedFrom(start: ReadonlySet<string>, store: WorkspaceStore): Set<string> {
  const next = Map.groupBy(Object.values(store.getState().document.connections), (link) => link.from.agentId);
  const reached = new Set(start);
  // A set is iterated in the order in which it grows.
  for (const id of reached) for (const link of next.get(id) ?? []) reached.add(link.to.agentId);
  return reached;
}
