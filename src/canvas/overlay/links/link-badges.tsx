import { memo, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { LinkInRun } from '../../../../rules/run-graph/link-in-run.ts';
import { isBackLink } from '../../../../rules/run-graph/run-graph.ts';
import { cardViews } from '../../../model/card-view.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { linkInRun } from '../../../model/link-state.ts';
import type { LinkMeaning } from '../../../model/run/link-meaning.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleAlert, GitBranch, Hand, RotateCcw } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import type { CanvasView, EphemeralState } from '../../canvas-view.ts';
import { isMerged } from '../../folding/folded-records.ts';
import type { FoldedStore } from '../../folding/folded-store.ts';
import { linkBadgeHeight } from '../../geometry/link-path.ts';
import { routesOf } from '../../geometry/routes/routes-of.ts';
import { routing } from '../../geometry/routes/routing.ts';
import { linkParts, linkRunWords, roundWords } from '../../link-words.ts';
import { useStoreValue } from '../../use-store-value.ts';
import overlay from '../canvas-overlay.module.css';
import { useCameraLayer } from '../use-camera-layer.ts';
import styles from './link-badges.module.css';
import { useLinksWithWords, type WordedLinks } from './links-with-words.ts';
import { removableLink } from './removable-link.ts';

const LinkSettingsForm = lazyPart(() => import('./link-settings.tsx').then((file) => file.LinkSettingsForm));

/** Badges are elements of the page: more than this many would slow it down, so only the first are shown. */
const maxBadges = 300;
/** Below this zoom the text of a badge cannot be read. */
const minZoom = 0.45;

type Props = { store: WorkspaceStore; shownStore: FoldedStore; view: CanvasView; dispatch: Dispatch; readOnly: boolean };

/**
 * One badge for each link that says something to a run: its label, its test, its rounds, that it is for failures or for all other answers, or
 * that it holds. A press opens its settings. The only selected link has one as well, to begin with.
 */
export function LinkBadges({ store, shownStore, view, dispatch, readOnly }: Props) {
  const layer = useRef<HTMLDivElement>(null);
  const locked = useStoreValue(store, (state) => isLocked(state.run));
  const [selected, setSelected] = useState<string | null>(null);
  const [moved, setMoved] = useState<ReadonlySet<string> | null>(null);
  const [open, setOpen] = useState(view.ephemeral.linkSettings);
  const worded = useLinksWithWords(store);

  useEffect(() => {
    const follow = (ephemeral: EphemeralState) => {
      const [only] = ephemeral.selectedLinks;
      setSelected(only !== undefined && ephemeral.selectedLinks.size === 1 ? removableLink({ ...ephemeral, hover: null }, false) : null);
      setMoved(ephemeral.drag?.nodeIds ?? null);
      setOpen(ephemeral.linkSettings);
    };
    follow(view.ephemeral);
    return view.subscribe((ephemeral, changed) => {
      if (['selectedLinks', 'selectedNodes', 'drag', 'linkDraft', 'linkSettings'].some((key) => changed.has(key as keyof EphemeralState)))
        follow(ephemeral);
    });
  }, [view]);

  const shown = useMemo(() => {
    const ids = [selected, open].flatMap((id) => (id !== null && !worded.has(id) ? [id] : []));
    return [...new Set([...ids, ...worded.keys()])].slice(0, maxBadges);
  }, [worded, selected, open]);
  const isEmpty = shown.length === 0;
  useCameraLayer(layer, view, { minZoom, isShownFar: open !== null, isEmpty });

  const setSettings = useCallback((linkSettings: string | null) => view.update({ linkSettings }), [view]);

  return (
    <div ref={layer} className={`${overlay.layer} ${styles.layer}`}>
      {!isEmpty && (
        <Badges {...{ store, shownStore, dispatch, worded, moved, open }} ids={shown} onOpen={setSettings} disabled={readOnly || locked} />
      )}
    </div>
  );
}

type BadgesProps = Pick<Props, 'store' | 'shownStore' | 'dispatch'> & {
  ids: readonly string[];
  worded: WordedLinks;
  /** The cards that are dragged: their links have no badges meanwhile. */
  moved: ReadonlySet<string> | null;
  open: string | null;
  onOpen: (linkId: string | null) => void;
  disabled: boolean;
};

/**
 * Only a layer with badges reads the document and the run: React keeps what a component has read until it has rendered twice more, and a
 * large canvas was kept so after another had come.
 */
function Badges({ store, shownStore, dispatch, ids, worded, moved, open, onOpen, disabled }: BadgesProps) {
  const document = useStoreValue(shownStore, (state) => state.document);
  const run = useStoreValue(store, (state) => state.run);
  const cards = cardViews(run);
  const finder = useObserved(routing, routing.get);
  // Found once for a document, and not at each change of a run, of which there are many in a second.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the routes are others once their finder is loaded
  const places = useMemo(() => {
    const routes = routesOf(document);
    return new Map(ids.map((id) => [id, routes.badgeAt(id)]));
  }, [document, ids, finder]);
  return ids.map((id) => {
    const link = document.connections[id];
    const from = document.nodes[link?.from.agentId ?? ''];
    const to = document.nodes[link?.to.agentId ?? ''];
    const place = places.get(id);
    if (!link || isMerged(link) || !from || !to || !place || moved?.has(from.id) || moved?.has(to.id)) return null;
    const isBack = isBackLink(link.run ?? {});
    return (
      <LinkBadge
        key={id}
        link={link}
        meaning={worded.get(id) ?? null}
        from={from}
        to={to}
        x={place.x}
        y={place.y}
        isOpen={open === id}
        onOpen={onOpen}
        inRun={linkInRun(run, id)}
        round={isBack ? (cards[to.id]?.round ?? null) : null}
        rounds={isBack ? (cards[to.id]?.rounds ?? null) : null}
        store={store}
        disabled={disabled}
        dispatch={dispatch}
      />
    );
  });
}

type BadgeProps = {
  link: Connection;
  meaning: LinkMeaning | null;
  from: CanvasNode;
  to: CanvasNode;
  /** Its middle (world px). */
  x: number;
  y: number;
  isOpen: boolean;
  onOpen: (linkId: string | null) => void;
  inRun: LinkInRun | undefined;
  /** The round that the link's target is in, and the most of them. */
  round: number | null;
  rounds: number | null;
  store: WorkspaceStore;
  disabled: boolean;
  dispatch: Dispatch;
};

/** Most changes of a run change few links: the others are not rendered again. */
const LinkBadge = memo(({ link, meaning, from, to, x, y, isOpen, onOpen, inRun, round, rounds, store, disabled, dispatch }: BadgeProps) => {
  const { t } = useTranslation('canvas');
  const anchor = useRef<HTMLButtonElement>(null);
  const settings = link.run ?? {};
  const isBack = isBackLink(settings);
  const inRound = isBack && inRun ? roundWords({ round, rounds }, t) : '';
  const { taken, tested, rounds: upTo, held } = linkParts(settings, meaning, t);
  const repeats = inRound || upTo;
  const text = [taken, repeats, held, tested].filter(Boolean).join(' · ');
  // The name begins with the text that is seen, so that it can be spoken.
  const told = inRound ? { round: null, rounds: null } : { round, rounds };
  const said = [text, linkRunWords(settings, inRun, told, t)].filter(Boolean).join(', ');
  const Icon = settings.onFailure ? CircleAlert : isBack ? RotateCcw : settings.hold ? Hand : GitBranch;
  return (
    <div className={styles.place} style={{ transform: `translate(${x}px, ${y}px)`, '--badge-height': `${linkBadgeHeight}px` }}>
      <button
        ref={anchor}
        type="button"
        className={styles.badge}
        data-canvas-control="hover"
        data-link-badge={link.id}
        data-plain={text === '' || undefined}
        data-failure={settings.onFailure || undefined}
        data-in-run={inRun}
        aria-label={t('link.settingsOf', { from: from.title, to: to.title, text: said })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={text || undefined}
        disabled={disabled}
        onClick={() => onOpen(isOpen ? null : link.id)}
        onKeyDown={({ key }) => isOpen && key === 'Escape' && onOpen(null)}
      >
        <Icon size={13} aria-hidden />
        {taken && <span className={styles.taken}>{taken}</span>}
        {repeats && <span>{taken ? ` · ${repeats}` : repeats}</span>}
        {held && (
          <>
            {Icon !== Hand && <Hand size={13} aria-hidden />}
            {settings.hold === 'once' && <span aria-hidden>1×</span>}
            {/* A hand says it in the narrow space between two cards. */}
            <span className="visually-hidden">{held}</span>
          </>
        )}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <LinkSettingsForm
            link={store.getState().document.connections[link.id] ?? link}
            document={store.getState().document}
            anchor={anchor}
            dispatch={dispatch}
            onClose={() => onOpen(null)}
          />
        </Suspense>
      )}
    </div>
  );
});
