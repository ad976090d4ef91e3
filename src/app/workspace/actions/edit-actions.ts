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
import type { CommandResult, Dispatch, PlaceableItem } from '../../../model/commands.ts';
import { withContents } from '../../../model/document/annotations.ts';
import { nextHold } from '../../../model/document/links/hold-links.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { Outcome } from '../../../model/problem.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { importPart } from '../../../ui/loading/import-part.ts';
import { isPointInView } from '../camera/free-view.ts';
import { fitAll, fitSelection } from '../camera/move-camera.ts';
import type { ActionHandler } from './action-handler.ts';

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
export function editActions(parts: EditParts) {
  return { ...documentActions(parts), ...nodeActions(parts), ...groupActions(parts), ...linkActions(parts), ...addActions(parts) };
}

type ShownCanvas = Pick<EditParts, 'store' | 'view'>;

/** The document as it is shown, with folded groups. */
const shownDocument = ({ store, view }: ShownCanvas) => foldedStore(store, view).getState().document;

/** The selected node, if it is the only one; the selected link, if nothing else is selected. */
const onlyNode = ({ ephemeral: { selectedNodes } }: CanvasView) => (selectedNodes.size === 1 ? ([...selectedNodes][0] ?? null) : null);
const onlyLink = ({ ephemeral: { selectedNodes, selectedLinks } }: CanvasView) =>
  selectedLinks.size === 1 && selectedNodes.size === 0 ? ([...selectedLinks][0] ?? null) : null;

/** Opens the editor of the node that a command has made. */
function editCreated({ store, view }: ShownCanvas, outcome: Outcome<CommandResult>): void {
  const node = outcome.ok ? store.getState().document.nodes[outcome.value?.nodeIds?.[0] ?? ''] : undefined;
  if (node) view.update(startEditing(node, atRest(view)));
}

function documentActions({ store, view, dispatch, isEditable }: EditParts): Record<'undo' | 'redo' | 'layout', ActionHandler> {
  return {
    undo: { can: () => isEditable() && store.getState().undo.canUndo, run: () => void dispatch({ type: 'history.undo' }) },
    redo: { can: () => isEditable() && store.getState().undo.canRedo, run: () => void dispatch({ type: 'history.redo' }) },
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
        if (several) fitSelection(view, shownDocument({ store, view }));
        else fitAll(view, shownDocument({ store, view }));
      },
    },
  };
}

type NodeAction = 'open' | 'rename' | 'delete' | 'selectAll' | 'selectLinked';

function nodeActions({ store, view, dispatch, isEditable, openNode }: EditParts): Record<NodeAction, ActionHandler> {
  return {
    open: {
      can: () => {
        const { document, agents } = store.getState();
        const node = document.nodes[onlyNode(view) ?? ''];
        return node !== undefined && (isDialog(node) || agents.byId[node.serverAgentId ?? ''] !== undefined);
      },
      run: () => openNode(onlyNode(view) ?? ''),
    },
    rename: {
      can: () => isEditable() && onlyNode(view) !== null,
      run: () => {
        const node = shownDocument({ store, view }).nodes[onlyNode(view) ?? ''];
        if (node) view.update(startEditing(node, atRest(view)));
      },
    },
    delete: {
      can: () => isEditable() && view.ephemeral.selectedNodes.size + view.ephemeral.selectedLinks.size > 0,
      run: () => {
        const { selectedNodes, selectedLinks, folded } = view.ephemeral;
        const nodeIds = [...withFoldedContents(store.getState().document.nodes, folded, selectedNodes)];
        void dispatch({ type: 'selection.remove', nodeIds, connectionIds: [...selectedLinks] });
      },
    },
    selectAll: {
      run: () => view.update({ selectedNodes: new Set(Object.keys(shownDocument({ store, view }).nodes)), selectedLinks: new Set() }),
    },
    selectLinked: {
      can: () => view.ephemeral.selectedNodes.size > 0,
      run: () => view.update({ selectedNodes: reachedFrom(view.ephemeral.selectedNodes, store), selectedLinks: new Set() }),
    },
  };
}

function groupActions({ store, view, dispatch, isEditable }: EditParts): Record<'group' | 'ungroup', ActionHandler> {
  const groups = () => [...view.ephemeral.selectedNodes].filter((id) => isGroup(store.getState().document.nodes[id]));
  return {
    group: {
      can: () => isEditable() && view.ephemeral.selectedNodes.size > 0,
      run: async () => editCreated({ store, view }, await dispatch({ type: 'nodes.group', nodeIds: [...view.ephemeral.selectedNodes] })),
    },
    ungroup: {
      can: () => isEditable() && groups().length > 0,
      run: () => void dispatch({ type: 'selection.remove', nodeIds: groups(), connectionIds: [] }),
    },
  };
}

function linkActions({ store, view, dispatch, isEditable, canHold }: EditParts): Record<'holdLinks' | 'linkSettings', ActionHandler> {
  const hold = () => nextHold(store.getState().document, view.ephemeral.selectedLinks);
  return {
    holdLinks: {
      can: () => canHold() && hold() !== null,
      run: () => {
        const command = hold();
        if (command) void dispatch(command);
      },
    },
    linkSettings: {
      can: () => isEditable() && onlyLink(view) !== null,
      run: () => {
        // Brings the middle of the link, where its settings open, into view.
        const shown = shownDocument({ store, view });
        const corners = routesOf(shown).corners(onlyLink(view) ?? '');
        if (corners && !isPointInView(view.ephemeral, midpointOf(corners))) fitSelection(view, shown);
        view.update({ linkSettings: onlyLink(view) });
      },
    },
  };
}

function addActions({ store, view, dispatch, isEditable, place }: EditParts): Record<'addDialog' | 'addStart' | 'addNote', ActionHandler> {
  const add = (item: PlaceableItem): ActionHandler => ({ can: isEditable, run: (at) => place(item, at) });
  return {
    addDialog: add({ kind: 'dialog' }),
    addStart: add({ kind: 'start' }),
    addNote: {
      can: isEditable,
      run: async (place) => {
        const middle = toWorld(view.ephemeral.camera, freeMiddle(view.ephemeral));
        // Without its script the note lies in the middle, over what is there.
        const free = place ? null : await importPart(() => import('./free-spot.ts')).catch(() => null);
        const at = place ?? free?.freeSpot(middle, nodeSize({ type: 'note' }), store.getState().document.nodes) ?? middle;
        const rounded = { x: Math.round(at.x), y: Math.round(at.y) };
        editCreated({ store, view }, await dispatch({ type: 'node.place', item: { kind: 'note' }, at: rounded }));
      },
    },
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
