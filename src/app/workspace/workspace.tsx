import { AnimatePresence } from 'framer-motion';
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Canvas, type CanvasProps } from '../../canvas/canvas.tsx';
import { CanvasView } from '../../canvas/canvas-view.ts';
import type { MenuRequest } from '../../canvas/menu-request.ts';
import { browserStorage } from '../../canvas/overlay/browser-storage.ts';
import { DialogDrafts } from '../../canvas/overlay/dialog/dialog-drafts.ts';
import type { Scene } from '../../canvas/scene/scene.ts';
import type { Problem } from '../../model/problem.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { useObserved } from '../../state/use-observed.ts';
import { loadProblemTexts } from '../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { AbsentUntilOnline } from '../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { MotionScope } from '../../ui/motion/motion-scope.tsx';
import { readStored, writeStored } from '../../ui/stored-preference.ts';
import '../../ui/more-contrast.css';
import { useTheme } from '../../ui/theme.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { replayedStore } from '../../workers/bridge/replayed-store.ts';
import { useWorkspace, WorkspaceProvider } from '../../workers/bridge/use-workspace.ts';
import type { WorkspaceBridge } from '../../workers/bridge/workspace-bridge.ts';
import { WorkspaceData } from '../server-data/server-data-provider.tsx';
import { useWarningBeforeUnload } from './account/use-leave-project.ts';
import { useActionKeys } from './actions/use-action-keys.ts';
import { useOpenNode } from './actions/use-open-node.ts';
import { Banners } from './banners/banners.tsx';
import { WorkspaceFailure } from './banners/workspace-failure.tsx';
import { AccountBar } from './bars/account-bar.tsx';
import { ProjectBar } from './bars/project-bar.tsx';
import { ZoomControl } from './bars/zoom-control.tsx';
import { useCameraMemory, useKeepInView, useWindowCamera } from './camera/use-keep-in-view.ts';
import { clampConsoleHeight } from './console/clamp-console-height.ts';
import { Console } from './console/console.tsx';
import { demoPanels } from './demo/demo-panels.ts';
import { useAddedUsers } from './frame/added-users.ts';
import { mobileQuery } from './frame/mobile-query.ts';
import { PanelsProvider, usePanels } from './frame/panels.tsx';
import { useAskingDispatch } from './frame/use-asking-dispatch.ts';
import { useNodeCounts } from './frame/use-node-counts.ts';
import { useWindowSize } from './frame/use-window-size.ts';
import { type Account, useWorkspaceContext, WorkspaceContext } from './frame/workspace-context.ts';
import { WindowHelp } from './help/window-help.tsx';
import { HistoryPanel } from './history/history-panel.tsx';
import { ModalSwitch } from './modals/modal-switch.tsx';
import { Palette } from './palette/palette.tsx';
import { useKeptTrial } from './rerun/use-kept-trial.ts';
import { RunAnnouncer } from './run/run-announcer.tsx';
import { RunControl } from './run/run-control.tsx';
import { useLitRefusal } from './run/use-lit-refusal.ts';
import { useOpenResult } from './run/use-open-result.ts';
import { Sidebar } from './sidebar/sidebar.tsx';
import { unseenRefusals, useReportRefusals } from './unseen-refusals.ts';
import { LaterWindows } from './windows/later-windows.tsx';
import styles from './workspace.module.css';

const PerformancePanel = lazyPart(() => import('./performance/performance-panel.tsx').then((file) => file.PerformancePanel));

type PerformanceSwitchProps = { scene: Scene | null; roundTrip: () => Promise<number> };

/** Opens the performance panel by its shortcut or by `?perf` in the URL. While it is closed, nothing is measured. */
function PerformanceSwitch({ scene, roundTrip }: PerformanceSwitchProps) {
  const { panels, show } = usePanels();
  const close = useCallback(() => show({ performance: false }), [show]);
  return (
    <AnimatePresence>
      {panels.performance && scene && (
        <Suspense key="performance" fallback={null}>
          <PerformancePanel scene={scene} roundTrip={roundTrip} onClose={close} />
        </Suspense>
      )}
    </AnimatePresence>
  );
}

const Beginnings = lazyPart(() => import('./empty-canvas/beginnings.tsx').then((file) => file.Beginnings));

/** Shows ways to begin while the canvas is empty and can be edited. A version that is compared stands alone. */
function EmptyCanvas() {
  const ready = useWorkspace((state) => state.status === 'ready');
  const empty = useNodeCounts(({ total }) => total === 0);
  const { readOnly } = useWorkspaceContext();
  const isCompared = useWorkspace((state) => state.comparison !== null);
  if (!ready || !empty || readOnly || isCompared) return null;
  return (
    <Suspense fallback={null}>
      <Beginnings />
    </Suspense>
  );
}

const EditedCanvas = lazyPart(() => import('./edited-canvas.tsx').then((file) => file.EditedCanvas), AbsentUntilOnline);
const StartTriggers = lazyPart(() => import('../triggers/start-triggers.tsx').then((file) => file.StartTriggers), AbsentUntilOnline);
const QuestionWatch = lazyPart(() => import('./questions/question-watch.tsx').then((file) => file.QuestionWatch), AbsentUntilOnline);
const RerunBar = lazyPart(() => import('./rerun/rerun-bar.tsx').then((file) => file.RerunBar));
const ComparePanel = lazyPart(() => import('./rerun/compare-panel.tsx').then((file) => file.ComparePanel));
const SelectionBar = lazyPart(() => import('./selection/selection-bar.tsx').then((file) => file.SelectionBar));
const VersionsPanel = lazyPart(() => import('./versions/versions-panel.tsx').then((file) => file.VersionsPanel));
const ReplayBar = lazyPart(() => import('./replay/replay-bar.tsx').then((file) => file.ReplayBar));

/** Announces new questions. The demonstration has none before its first step. */
function QuestionNews() {
  const { demo } = useWorkspaceContext();
  const hasBegun = useWorkspace(({ run }) => run.phase === 'running');
  const isAsked = useRef(!demo);
  if (hasBegun) isAsked.current = true;
  return <Suspense fallback={null}>{isAsked.current && <QuestionWatch />}</Suspense>;
}

/** Loads the sentences of a run's events with its first step, so that none is shown late. */
function useTextsOfRun(): void {
  const { language } = useTranslation('common');
  const hasBegun = useWorkspace(({ run }) => run.phase === 'running');
  useEffect(() => {
    if (hasBegun) void loadProblemTexts(language);
  }, [hasBegun, language]);
}

type WorkspaceProps = {
  bridge: Pick<WorkspaceBridge, 'store' | 'dispatch' | 'call' | 'roundTrip'>;
  /** The view's ephemeral state; created by the workspace if absent. */
  view?: CanvasView;
  /** Null without a signed-in user. */
  account?: Account | null;
  readOnly?: boolean;
  /** The public demonstration: read-only, except its run. */
  demo?: boolean;
  /** Called once when the cards are shown, drawn or as a list. */
  onShown?: () => void;
  /** Called with the scene, for measurements. */
  onScene?: CanvasProps['onScene'];
};

/** The canvas and all panels over it. It does not depend on the source of the state. */
export function Workspace({ bridge, view: givenView, account = null, demo = false, readOnly = demo, onShown, onScene }: WorkspaceProps) {
  // The sentences of problems are there before a connection is lost. The demonstration has none, and loads them with its first step.
  useTranslation(demo ? 'common' : 'errors');
  const [ownView] = useState(() => new CanvasView());
  const view = givenView ?? ownView;
  const mobile = useMobile();
  const projectId = useProjectId(bridge.store);
  const shown = useMemo(() => ({ ...bridge, store: replayedStore(bridge.store) }), [bridge]);
  // The canvas that ran cannot be changed any more.
  const isThen = useObserved(bridge.store, () => showsCanvasThen(bridge.store));
  const isFixed = readOnly || isThen;
  const drafts = useDrafts(projectId);
  const users = useAddedUsers(projectId);
  const context = useMemo(
    () => ({ view, drafts, users, account, readOnly: isFixed, demo, mobile }),
    [view, drafts, users, account, isFixed, demo, mobile],
  );
  return (
    <WorkspaceProvider bridge={shown}>
      <WorkspaceData>
        <WorkspaceContext value={context}>
          <PanelsProvider mobile={mobile} first={demo && !mobile ? demoPanels : undefined}>
            <MotionScope>
              <WindowHelp>
                <WorkspaceLayout bridge={shown} isForReading={readOnly} onShown={onShown} onScene={onScene} />
              </WindowHelp>
            </MotionScope>
          </PanelsProvider>
        </WorkspaceContext>
      </WorkspaceData>
    </WorkspaceProvider>
  );
}

type WorkspaceLayoutProps = Pick<WorkspaceProps, 'bridge' | 'onShown' | 'onScene'> & {
  /** The workspace as a whole is read-only: its parts have other places. */
  isForReading: boolean;
};

function WorkspaceLayout({ bridge, isForReading, onShown, onScene }: WorkspaceLayoutProps) {
  const { readOnly, demo, mobile } = useWorkspaceContext();
  const { panels } = usePanels();
  const { height } = useWindowSize();
  useActionKeys();
  useCameraMemory(useKeepInView());
  useWindowCamera();
  useCanvasPreferences();
  useWarningBeforeUnload();
  useKeptTrial();
  useReportRefusals();
  useLitRefusal();
  useTextsOfRun();
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  const closeMenu = useCallback(() => setMenu(null), []);
  const [scene, setScene] = useState<Scene | null>(null);
  const sceneMade = useCallback(
    (made: Scene) => {
      setScene(made);
      onScene?.(made);
    },
    [onScene],
  );
  const [isListed, setListed] = useState(false);
  const listed = useCallback(() => setListed(true), []);
  useShown(scene !== null || isListed, onShown);
  const isReplayed = useWorkspace((state) => state.replay !== null);
  const sidebarOpen = panels.sidebar || (isForReading && !mobile);
  return (
    <div
      className={styles.workspace}
      data-workspace
      data-console={panels.console}
      data-history={panels.history || panels.versions || undefined}
      data-compare={panels.compare?.kind}
      data-replay={isReplayed || undefined}
      data-rerun={panels.rerun ? true : undefined}
      data-sidebar={sidebarOpen || undefined}
      style={{ '--console-height': `${clampConsoleHeight(panels.consoleHeight, height)}px` }}
    >
      <SkipLink />
      <MainCanvas store={bridge.store} onMenu={setMenu} onScene={sceneMade} onListed={listed} />
      <ProjectBar />
      <AccountBar />
      {/* Before the long lists beside it in the order of the Tab key. */}
      <Foot />
      <Sidebar />
      <EmptyCanvas />
      {!readOnly && !panels.rerun && (
        <Suspense fallback={null}>
          <SelectionBar />
        </Suspense>
      )}
      {!mobile && <ZoomControl />}
      <HistoryPanel />
      <AnimatePresence initial={false}>
        {panels.versions && (
          <Suspense key="versions" fallback={null}>
            <VersionsPanel />
          </Suspense>
        )}
      </AnimatePresence>
      <Suspense fallback={null}>{panels.compare && <ComparePanel target={panels.compare} />}</Suspense>
      <Console />
      <Banners />
      <WorkspaceFailure />
      {/* There before it is asked for, so that not a letter typed after its shortcut is lost. */}
      <Palette />
      <LaterWindows menu={menu} onCloseMenu={closeMenu} />
      <ModalSwitch />
      <RunAnnouncer />
      <Suspense fallback={null}>{!demo && <EditedCanvas />}</Suspense>
      <QuestionNews />
      <PerformanceSwitch scene={scene} roundTrip={bridge.roundTrip} />
    </div>
  );
}

/** The canvas of the open project, and what it opens. */
function MainCanvas(props: Pick<CanvasProps, 'store' | 'onMenu' | 'onScene' | 'onListed'>) {
  const { view, drafts, readOnly, mobile } = useWorkspaceContext();
  const { show } = usePanels();
  const { theme } = useTheme();
  const dispatch = useAskingDispatch();
  const openNode = useOpenNode();
  const openResult = useOpenResult();
  const openQuestion = useCallback((questionId: string) => show({ window: { kind: 'questions', questionId } }), [show]);
  const refused = useCallback((problem: Problem) => show({ window: { kind: 'refused', problem } }), [show]);
  return (
    <main className={styles.canvas}>
      <Canvas
        {...props}
        dispatch={dispatch}
        view={view}
        theme={theme}
        readOnly={readOnly}
        mobile={mobile}
        drafts={drafts}
        onOpenNode={openNode}
        onOpenResult={openResult}
        onOpenQuestion={openQuestion}
        onRefusedPaste={refused}
      >
        <Suspense fallback={null}>{!readOnly && <StartTriggers />}</Suspense>
      </Canvas>
    </main>
  );
}

/** The bar below the canvas, or the choice of what runs again beside it. Its contents take each other's place and keep the focus. */
function Foot() {
  const { panels } = usePanels();
  const frame = useRef<HTMLDivElement>(null);
  useKeptFocus(frame);
  return (
    <div ref={frame} className={styles.kept} data-foot>
      {panels.rerun ? (
        <Suspense fallback={null}>
          <RerunBar target={panels.rerun} />
        </Suspense>
      ) : (
        <div className={styles.foot}>
          <RunOrReplay />
        </div>
      )}
    </div>
  );
}

/** The first stop of the Tab key: leads past the bars to the run control. WCAG 2.4.1 */
function SkipLink() {
  const { t } = useTranslation('workspace');
  return (
    <button type="button" className={styles.skip} onClick={() => leadToRun()}>
      {t('skip')}
    </button>
  );
}

/** Start, else the field of the task or the first button of the run. Under a console that fills the screen they are out of reach: its first button. */
function leadToRun(): void {
  const foot = document.querySelector<HTMLElement>('[data-foot]');
  const isHidden = foot?.closest('[data-console="full"]') != null;
  const place = isHidden ? document.querySelector<HTMLElement>('[data-testid="console"]') : foot;
  const ways = ['[data-start]:enabled', 'textarea:enabled', 'button:enabled'];
  ways
    .map((way) => place?.querySelector<HTMLElement>(way))
    .find((found) => found)
    ?.focus();
}

/** The run control; in its place the controls of a replay. */
function RunOrReplay() {
  const isReplayed = useWorkspace((state) => state.replay !== null);
  if (!isReplayed) return <RunControl />;
  return (
    <Suspense fallback={null}>
      <ReplayBar />
    </Suspense>
  );
}

/** Calls `onShown` once after the surface is ready, the cards are loaded, and a frame with them is painted. */
function useShown(hasSurface: boolean, onShown: (() => void) | undefined): void {
  // A workspace that failed to open shows its failure instead of the cards.
  const isReady = useWorkspace((state) => state.status === 'ready' || state.status === 'failed');
  useEffect(() => {
    if (!hasSurface || !isReady || !onShown) return;
    // The next frame draws the first cards, and the frame after it has them on the screen.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(onShown);
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [hasSurface, isReady, onShown]);
}

/** Whether a replay shows a canvas that is another one than now. */
function showsCanvasThen(store: WorkspaceStore): boolean {
  const { replay } = store.getState();
  return replay?.status === 'ready' && replay.document !== null;
}

function useProjectId(store: WorkspaceStore): string | null {
  return useObserved(store, () => store.getState().project?.id ?? null);
}

/** Returns the drafts of the project. What was typed while the project was loading goes on in it. */
function useDrafts(projectId: string | null): DialogDrafts {
  const newest = useRef<DialogDrafts | null>(null);
  const drafts = useMemo(() => {
    const ofProject = new DialogDrafts(browserStorage(), projectId, unseenRefusals.add);
    return newest.current ? ofProject.takeOver(newest.current) : ofProject;
  }, [projectId]);
  useLayoutEffect(() => {
    newest.current = drafts;
  }, [drafts]);
  return drafts;
}

const modeKey = 'canvas:mode';
const snapsKey = 'canvas:snaps';

/** Stores the canvas's tool and the grid setting in this browser. */
function useCanvasPreferences(): void {
  const { view } = useWorkspaceContext();
  useEffect(() => {
    view.update({ mode: readStored(modeKey) === 'select' ? 'select' : 'hand', snaps: readStored(snapsKey) === 'on' });
    return view.subscribe(({ mode, snaps }, changed) => {
      if (changed.has('mode')) writeStored(modeKey, mode);
      if (changed.has('snaps')) writeStored(snapsKey, snaps ? 'on' : 'off');
    });
  }, [view]);
}

/** Returns whether the workspace has the layout of a phone. W2.04 */
function useMobile(): boolean {
  return useObserved(widthLimit, () => matchMedia(mobileQuery).matches);
}

const widthLimit = {
  subscribe: (listener: () => void) => {
    const list = matchMedia(mobileQuery);
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  },
};
