import { useMemo, useRef, useState } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { Trigger } from '../../../contract/trigger.ts';
import { isDialog, isStart } from '../../../rules/card.ts';
import { foldedStore } from '../../canvas/folding/folded-store.ts';
import { useCameraLayer } from '../../canvas/overlay/use-camera-layer.ts';
import { useOnCard } from '../../canvas/overlay/use-on-card.ts';
import { useStoreValue } from '../../canvas/use-store-value.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CirclePause, Zap } from '../../ui/icons/icons.ts';
import { useStore, useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { useRead } from '../server-data/use-read.ts';
import { limitFigures } from '../workspace/budgets/budget-figures.ts';
import { usePanels } from '../workspace/frame/panels.tsx';
import { useWorkspaceContext } from '../workspace/frame/workspace-context.ts';
import styles from './start-triggers.module.css';
import { triggerIcons, zoneOf } from './trigger-icons.ts';
import { useInstantText } from './use-instant-text.ts';

/** Below this zoom the words cannot be read. */
const minZoom = 0.55;
const maxShown = 2;
/** How often the triggers are read again while there are any (ms). */
const readEveryMs = 60_000;

/**
 * Below the first start card: what starts runs of the project by itself, or the offer of it. A canvas without one has them below its first dialog, without
 * the offer. Nothing is read on a canvas without both. L4.01
 */
export function StartTriggers() {
  const store = useStore();
  const { view, account } = useWorkspaceContext();
  const shownStore = useMemo(() => foldedStore(store, view), [store, view]);
  const layer = useRef<HTMLDivElement>(null);
  const node = useStoreValue(shownStore, ({ document }) => {
    const nodes = account === null ? [] : Object.values(document.nodes);
    return nodes.find(isStart) ?? nodes.find(isDialog);
  });
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const triggers = useTriggers(node === undefined ? null : projectId);
  const isEmpty = node === undefined || triggers === null || (triggers.length === 0 && !isStart(node));
  useCameraLayer(layer, view, { minZoom, isEmpty });
  return (
    <div ref={layer} className={styles.layer}>
      {!isEmpty && <OnStart key={node.id} node={node} triggers={triggers} />}
    </div>
  );
}

/** The triggers of a project: read when it opens, when the window that changes them closes and when a run has begun or ended. Null until they are known. */
function useTriggers(projectId: string | null): readonly Trigger[] | null {
  const isChanging = usePanels().panels.window?.kind === 'connect';
  const newest = useWorkspace(({ history }) => `${history.items[0]?.id} ${history.items[0]?.status}`);
  const [isAny, setAny] = useState(false);
  const { value } = useRead('trigger.list', projectId === null || isChanging ? null : { params: { id: projectId } }, {
    when: isAny && newest,
    about: projectId,
    pauseMs: (triggers) => (triggers?.length ? readEveryMs : null),
  });
  const has = value !== null && value.length > 0;
  if (has !== isAny) setAny(has);
  return value;
}

function OnStart({ node, triggers }: { node: CanvasNode; triggers: readonly Trigger[] }) {
  const { t } = useTranslation('start-triggers');
  const { view } = useWorkspaceContext();
  const { show } = usePanels();
  const block = useRef<HTMLDivElement>(null);
  useOnCard(block, node, view);
  const { width, height } = nodeSize(node);
  const rest = triggers.length - maxShown;
  const open = (triggerId?: string) =>
    show({ window: { kind: 'connect', section: 'triggers', ...(triggerId !== undefined && { triggerId }) } });
  // Paused ones are not hidden by others.
  const shown = triggers.toSorted((one, other) => Number(isPaused(other)) - Number(isPaused(one))).slice(0, maxShown);
  return (
    <div ref={block} className={styles.block}>
      <div className={styles.below} style={{ top: height + 6, width }}>
        {triggers.length === 0 ? (
          <button type="button" className={styles.offer} data-canvas-control="hover" onClick={() => open()}>
            <Zap size={13} aria-hidden /> {t('offer')}
          </button>
        ) : (
          <ul className={styles.list} aria-label={t('list')} data-testid="start-triggers">
            {shown.map((trigger) => (
              <li key={trigger.id}>
                <StartTrigger trigger={trigger} onOpen={() => open(trigger.id)} />
              </li>
            ))}
            {rest > 0 && (
              <li>
                <button type="button" className={styles.rest} data-canvas-control="hover" onClick={() => open()}>
                  {t('more', { count: rest })}
                </button>
              </li>
            )}
          </ul>
        )}
      </div>
    </div>
  );
}

function StartTrigger({ trigger, onOpen }: { trigger: Trigger; onOpen: () => void }) {
  const { t, language } = useTranslation('start-triggers');
  const instantText = useInstantText({ hasWeekday: false });
  const { name, kind, settings, nextAt, pausedAt, pausedReason, lastFire, budget } = trigger;
  const Icon = pausedAt === null ? triggerIcons[kind] : CirclePause;
  const state =
    pausedAt !== null
      ? t(`paused.${pausedReason ?? 'owner'}`)
      : nextAt === null
        ? t(`waits.${kind}`)
        : t('next', { at: instantText(nextAt, zoneOf(settings)) });
  const nearest = budget && limitFigures(budget, language).toSorted((one, other) => other.percent - one.percent)[0];
  const outcome = lastFire && t(`outcome.${lastFire.outcome}`);
  return (
    <button
      type="button"
      className={styles.trigger}
      data-paused={isPaused(trigger) || undefined}
      data-off={pausedAt !== null || undefined}
      data-canvas-control="hover"
      onClick={onOpen}
    >
      <Icon size={15} aria-hidden />
      <span className={styles.words}>
        <strong>{name}</strong>
        <span>
          {state}
          {outcome && (
            <>
              {' · '}
              <span className="visually-hidden">{t('last', { outcome })}</span>
              <i data-outcome={lastFire.outcome} aria-hidden>
                {outcome}
              </i>
            </>
          )}
        </span>
      </span>
      {nearest && (
        <>
          <span className="visually-hidden">{t('budget', { percent: nearest.percent })}</span>
          <span className={styles.meter} data-state={nearest.state} aria-hidden title={t('budget', { percent: nearest.percent })}>
            <i style={{ width: `${Math.min(100, nearest.percent)}%` }} />
          </span>
        </>
      )}
    </button>
  );
}

/** Its owner did not switch it off. */
function isPaused({ pausedAt, pausedReason }: Trigger): boolean {
  return pausedAt !== null && pausedReason !== 'owner';
}
