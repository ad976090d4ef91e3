import { Fragment, useEffect, useRef } from 'react';
import type { MenuRequest } from '../../../canvas/menu-request.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { MenuAt, MenuNote, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useSurroundings } from '../workspace-context.ts';
import { ActionItem } from './action-item.tsx';
import { menuContents } from './menu-contents.ts';
import { useActions } from './use-actions.ts';

/** The menu of a card, a link, the selection or the empty canvas, where it was asked for. It closes when the camera moves. */
export function CanvasMenu({ request, onClose }: { request: MenuRequest | null; onClose: () => void }) {
  const { t } = useTranslation('actions');
  const { view, readOnly } = useSurroundings();
  const actions = useActions();
  const locked = useWorkspace((state) => isLocked(state.run));
  const last = useRef(request);
  if (request) last.current = request;
  useEffect(() => {
    if (request) return view.subscribe((_moment, changed) => (changed.has('camera') || changed.has('size')) && onClose());
  }, [request, view, onClose]);

  const shown = last.current;
  if (!shown) return null;
  const groups = menuContents[shown.target.kind];
  const title = t(`menu.${shown.target.kind}`, { count: view.moment.selectedNodes.size });
  return (
    <MenuAt at={request?.at ?? null} label={title} onClose={onClose}>
      {shown.target.kind === 'selection' && <MenuNote>{title}</MenuNote>}
      {groups.map((names, at) => (
        <Fragment key={names[0]}>
          {at > 0 && <MenuSeparator />}
          {names.map((name) => (
            <ActionItem key={name} name={name} deed={actions[name]} place={shown.world} />
          ))}
        </Fragment>
      ))}
      {locked && !readOnly && (
        <>
          <MenuSeparator />
          <MenuNote>{t('menu.locked')}</MenuNote>
        </>
      )}
    </MenuAt>
  );
}
