import { Fragment, Suspense, useCallback, useEffect, useRef } from 'react';
import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { linkHolds } from '../../../../contract/executions/link-values.ts';
import { isAgentOrPerson, isAnnotation } from '../../../../rules/card.ts';
import { canvasKinds } from '../../../canvas/canvas-kinds.ts';
import type { MenuRequest, MenuTarget } from '../../../canvas/menu-request.ts';
import { annotationHues, nodeHue } from '../../../model/agents/roles.ts';
import { canHold } from '../../../model/document/links/hold-links.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { MenuAt, MenuChoice, MenuNote, MenuSeparator, MenuSwatches } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import type { ActionName } from '../frame/action-table.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { RerunChoices } from '../rerun/rerun-choices.tsx';
import { ActionItem } from './action-item.tsx';
import { RunChoices } from './run-choices.tsx';
import { SelectionChoices } from './selection-choices.tsx';
import { useActions } from './use-actions.ts';

const FoldedDropMenu = lazyPart(() => import('./folded-drop-menu.tsx').then((file) => file.FoldedDropMenu));
const DropMenu = lazyPart(() => import('./quick-menu.tsx').then((file) => file.DropMenu));
const AddMenus = lazyPart(() => import('./quick-menu.tsx').then((file) => file.AddMenus));

type Props = { request: MenuRequest | null; onClose: () => void };

/** The context menu of a card, a note, a link, the selection or the empty canvas. It closes when the camera moves. */
export function CanvasMenu({ request, onClose: close }: Props) {
  const { view } = useWorkspaceContext();
  // The link that was being drawn goes with the menu that it opened.
  const onClose = useCallback(() => {
    view.update({ linkDraft: null });
    close();
  }, [view, close]);
  const last = useRef(request);
  if (request) last.current = request;
  useEffect(() => {
    if (request) return view.subscribe((_state, changed) => (changed.has('camera') || changed.has('size')) && onClose());
  }, [request, view, onClose]);
  if (!last.current) return null;
  // The menu opens with all its items: one that came later would move the others under the pointer.
  return (
    <Suspense fallback={null}>
      <Contents shown={last.current} isOpen={request !== null} onClose={onClose} />
    </Suspense>
  );
}

function Contents({ shown, isOpen, onClose }: { shown: MenuRequest; isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('actions');
  const { view, readOnly } = useWorkspaceContext();
  const actions = useActions();
  const dispatch = useDispatch();
  const locked = useWorkspace((state) => isLocked(state.run));
  const { target } = shown;
  const node = useWorkspace((state) => (target.kind === 'node' ? state.document.nodes[target.id] : undefined));
  const link = useWorkspace((state) => (target.kind === 'link' ? state.document.connections[target.id] : undefined));
  const source = useWorkspace((state) => (link ? state.document.nodes[link.from.agentId] : undefined));
  const kind = node ? canvasKinds[node.type].menu : target.kind;
  const title = t(`menu.${kind}`, { count: view.ephemeral.selectedNodes.size });
  return (
    <MenuAt at={isOpen ? shown.at : null} clearOf={shown.clearOf} label={title} onClose={onClose}>
      {kind === 'selection' && <MenuNote>{title}</MenuNote>}
      {target.kind === 'drop' &&
        (target.into === undefined ? (
          <DropMenu from={target.from} at={shown.world} />
        ) : (
          <FoldedDropMenu from={target.from} into={target.into} redrawn={target.redrawn} />
        ))}
      {target.kind === 'canvas' && !readOnly && !locked && <AddMenus at={shown.world} near={target.near} />}
      {(isAgentOrPerson(node) && !readOnly ? agentContents : menuContents[kind]).map((names, at) => (
        <Fragment key={names[0]}>
          {/* What removes things stays last. */}
          {node && !readOnly && !locked && names[0] === 'delete' && (
            <RunChoices node={node} dispatch={dispatch} runFromCard={<ActionItem name="runFromCard" handler={actions.runFromCard} />} />
          )}
          {isAgentOrPerson(node) && !readOnly && names[0] === 'delete' && <RerunChoices nodeId={node.id} />}
          {kind === 'selection' && at === 1 && !readOnly && !locked && <SelectionChoices actions={actions} />}
          {at > 0 && <MenuSeparator />}
          {names.map((name) => (
            <ActionItem key={name} name={name} handler={actions[name]} place={shown.world} />
          ))}
        </Fragment>
      ))}
      {link && !readOnly && canHold(link, source) && <HoldChoice link={link} />}
      {node && isAnnotation(node) && !readOnly && !locked && <Colours node={node} />}
      {locked && !readOnly && (
        <>
          <MenuSeparator />
          <MenuNote>{t('menu.locked')}</MenuNote>
        </>
      )}
    </MenuAt>
  );
}

const holds = ['off', ...linkHolds] as const;

/** Whether a link holds; a run at work can be held too. */
function HoldChoice({ link: { id, run } }: { link: Connection }) {
  const { t } = useTranslation('canvas');
  const dispatch = useDispatch();
  return (
    <>
      <MenuSeparator />
      <MenuChoice
        label={t('link.hold.title')}
        value={run?.hold ?? 'off'}
        options={holds.map((value) => ({ value, label: t(`link.hold.${value}`) }))}
        onChoose={(value) => void dispatch({ type: 'links.hold', ids: [id], hold: value === 'off' ? undefined : value })}
      />
    </>
  );
}

/** The colour of a note or group. */
function Colours({ node }: { node: CanvasNode }) {
  const { t } = useTranslation('actions');
  const dispatch = useDispatch();
  return (
    <>
      <MenuSeparator />
      <MenuSwatches
        label={t('words:colour')}
        value={nodeHue(node)}
        options={annotationHues.map((hue) => ({ hue, label: t(`colour.${hue}`) }))}
        onChoose={(hue) => void dispatch({ type: 'node.update', id: node.id, changes: { color: { background: hue, border: hue } } })}
      />
    </>
  );
}

/** The actions of each kind of context menu, in groups with lines between them: what is done often, at most nine entries. The palette has all. */
const menuContents: Record<MenuTarget['kind'] | 'annotation' | 'group', readonly (readonly ActionName[])[]> = {
  drop: [],
  canvas: [
    ['paste', 'addNote', 'addDialog'],
    ['layout', 'palette'],
  ],
  node: [['open', 'rename'], ['copy', 'cut', 'duplicate'], ['delete']],
  link: [['linkSettings', 'showSource', 'showTarget'], ['delete']],
  selection: [['cardSettings', 'group', 'layout'], ['copy', 'cut', 'duplicate'], ['delete']],
  annotation: [['rename'], ['copy', 'cut', 'duplicate'], ['delete']],
  group: [['fold', 'rename'], ['copy', 'duplicate', 'ungroup'], ['delete']],
};

/** The same for the card of an agent or a person, which runs on its own. */
const agentContents: (typeof menuContents)[MenuTarget['kind']] = [['open', 'runCard'], ['rename', 'copy', 'cut', 'duplicate'], ['delete']];
