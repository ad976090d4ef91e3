import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { storeConsoleHeight } from '../frame/console-height-memory.ts';
import { consoleHeightLimits, usePanels } from '../frame/panels.tsx';
import { useWindowSize } from '../frame/use-window-size.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { clampConsoleHeight } from './clamp-console-height.ts';
import styles from './console.module.css';

/** The step of an arrow key (px). */
const keyStep = 24;

/** The console's top edge, moved by dragging or by arrow keys. W2.14 */
export function ConsoleGrip() {
  const { t } = useTranslation('console');
  const { panels, show } = usePanels();
  const { demo } = useWorkspaceContext();
  const drag = useRef<{ y: number; height: number; now: number } | null>(null);
  const isFull = panels.console === 'full';
  const { height: windowHeight } = useWindowSize();
  const height = clampConsoleHeight(isFull ? windowHeight : panels.consoleHeight, windowHeight);

  const choose = (chosen: number | null) => {
    show({ consoleHeight: chosen, console: 'open' });
    if (!demo) storeConsoleHeight(chosen, innerHeight);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!drag.current) return;
    const next = clampConsoleHeight(drag.current.height + drag.current.y - event.clientY, innerHeight);
    drag.current.now = next;
    // In full-screen mode the height is fixed.
    if (isFull) show({ consoleHeight: next, console: 'open' });
    // Panels follow the custom property; React gets the height when the drag ends.
    event.currentTarget.closest<HTMLElement>('[data-workspace]')?.style.setProperty('--console-height', `${next}px`);
  };
  const end = () => {
    if (drag.current && drag.current.now !== drag.current.height) choose(drag.current.now);
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const change = event.key === 'ArrowUp' ? keyStep : event.key === 'ArrowDown' ? -keyStep : 0;
    if (change === 0) return;
    event.preventDefault();
    choose(clampConsoleHeight(height + change, innerHeight));
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no thematic break
    <div
      className={styles.grip}
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t('resize')}
      aria-valuenow={Math.round(height)}
      aria-valuemin={consoleHeightLimits.min}
      aria-valuemax={windowHeight - consoleHeightLimits.belowWindow}
      data-testid="console-grip"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const shown = event.currentTarget.parentElement?.getBoundingClientRect().height ?? height;
        drag.current = { y: event.clientY, height: shown, now: shown };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={onKeyDown}
      onDoubleClick={() => choose(null)}
    />
  );
}
