import { type RefObject, useLayoutEffect, useRef } from 'react';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { nodeBox } from '../../../canvas/geometry/document-bounds.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { AlignStartVertical, Ban, SlidersHorizontal } from '../../../ui/icons/icons.ts';
import { useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { arrangeIcons } from '../actions/arrange-icons.ts';
import { arrangeActions } from '../actions/selection-actions.ts';
import { useActions } from '../actions/use-actions.ts';
import { onScreen } from '../camera/free-view.ts';
import { type ActionName, shortcutOf } from '../frame/action-table.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import { barPlace } from './bar-place.ts';
import styles from './selection.module.css';

/** What several selected cards can get at once. It shows their number alone, so that a growing selection costs nothing. D4.21 */
export function SelectionBar() {
  const { view } = useWorkspaceContext();
  // Not under a marquee that is being drawn.
  const count = useObserved(view, () => (view.ephemeral.marquee ? 0 : view.ephemeral.selectedNodes.size));
  const isReplayed = useWorkspace((state) => state.replay !== null);
  return count < 2 || isReplayed ? null : <Bar count={count} />;
}

function Bar({ count }: { count: number }) {
  const { t } = useTranslation('selection');
  const { t: name } = useTranslation('actions');
  const actions = useActions();
  const locked = useWorkspace((state) => isLocked(state.run));
  // Looked at when it is pressed: the selection may have thousands of cards.
  const press = (action: ActionName) => () => {
    const { can, run } = actions[action];
    if (!can || can()) run();
  };
  const bar = useRef<HTMLElement>(null);
  useBarPlace(bar);
  return (
    <section ref={bar} className={`${panel.panel} ${styles.bar}`} aria-label={t('label')} data-panel data-testid="selection-bar">
      <span className={styles.count}>{t('words:cardCount', { count })}</span>
      <span className={panel.divider} />
      <Button
        size="s"
        variant="ghost"
        icon={<SlidersHorizontal size={16} aria-hidden />}
        title={`${name('name.cardSettings')} ${shortcutOf('cardSettings')}`}
        disabled={locked}
        onClick={press('cardSettings')}
      >
        {t('settings')}
      </Button>
      <IconButton
        label={name('name.disableCards')}
        shortcut={shortcutOf('disableCards')}
        tooltipSide="top"
        icon={<Ban size={16} />}
        disabled={locked}
        onClick={press('disableCards')}
      />
      <Menu
        align="end"
        side="top"
        trigger={
          <Button size="s" variant="ghost" icon={<AlignStartVertical size={16} aria-hidden />}>
            {t('arrange')}
          </Button>
        }
      >
        {arrangeActions.map((action) => {
          const Icon = arrangeIcons[action];
          return (
            <MenuItem
              key={action}
              icon={<Icon size={16} strokeWidth={1.75} aria-hidden />}
              shortcut={shortcutOf(action)}
              disabled={actions[action].can?.() === false}
              onSelect={() => actions[action].run()}
            >
              {name(`name.${action}`)}
            </MenuItem>
          );
        })}
      </Menu>
    </section>
  );
}

/** The time without a change after which the bar looks for its place again (ms): it stands still under a moving camera. */
const restMs = 150;

/** Keeps the bar near the selected cards, and off them. */
function useBarPlace(bar: RefObject<HTMLElement | null>): void {
  const { view } = useWorkspaceContext();
  const store = useStore();
  useLayoutEffect(() => {
    const shown = foldedStore(store, view);
    const place = () => {
      if (!bar.current) return;
      const { selectedNodes, camera, size, insets } = view.ephemeral;
      const { nodes } = shown.getState().document;
      const cards = [...selectedNodes].flatMap((id) => (nodes[id] ? onScreen(camera, nodeBox(nodes[id])) : []));
      const { offsetWidth: width, offsetHeight: height, style } = bar.current;
      const { x, y } = barPlace({ width, height }, { size, insets }, cards);
      Object.assign(style, { left: `${Math.round(x)}px`, top: `${Math.round(y)}px` });
    };
    place();
    let resting: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(resting);
      resting = setTimeout(place, restMs);
    };
    // The other changes of a run come faster than the bar rests: it would never find its place during one.
    let { document } = shown.getState();
    const follow = () => {
      const now = shown.getState().document;
      if (now !== document) later();
      document = now;
    };
    const stops = [view.partsOf('selectedNodes', 'camera', 'size', 'insets', 'drag').subscribe(later), shown.subscribe(follow)];
    return () => {
      clearTimeout(resting);
      for (const stop of stops) stop();
    };
  }, [bar, view, store]);
}
