import type { TFunction } from 'i18next';
import type { LucideIcon } from 'lucide-react/types';
import { memo } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { isAnnotation, isGroup, isNote, isPersonCard } from '../../../rules/card.ts';
import type { LinkInRun } from '../../../rules/run-graph/link-in-run.ts';
import { nodeHue } from '../../model/agents/roles.ts';
import type { CardState } from '../../model/card-view.ts';
import type { LinkMeaning } from '../../model/run/link-meaning.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Ban, Circle, CircleCheck, CirclePause, Clock, CornerDownRight, LoaderCircle, OctagonX } from '../../ui/icons/icons.ts';
import { RoleTile } from '../../ui/icons/role-icon.tsx';
import { nodeIconName } from '../../ui/icons/role-icon-name.ts';
import { canvasKinds } from '../canvas-kinds.ts';
import { isFolded } from '../folding/folded-records.ts';
import { linkRunWords, linkWords, roundWords } from '../link-words.ts';
import styles from './canvas-outline.module.css';
import type { OutlineRow } from './outline-rows.ts';

/** The state of a line in a run: a link's state, the round of a card or of a link's target, a list's items. */
export type LineInRun = {
  inRun: LinkInRun | undefined;
  round: number | null;
  rounds: number | null;
  itemsDone: number;
  itemsTotal: number;
  /** What the card's agent does with tools, what a folded group stands for, or a line for several links; empty for nothing. */
  tools: string;
  /** Whether the card asks a person. */
  asks: boolean;
  /** Of a card that is no part of the shown run, or of the next one: what the card says. */
  leftOut: 'leftOut' | 'outside' | null;
};

type LineProps = LineInRun & {
  row: OutlineRow;
  place: number;
  state: CardState;
  total: number;
  isTabStop: boolean;
  /** Whether the list replaces the canvas and is visible. */
  shown: boolean;
  onFocus: (row: OutlineRow, place: number) => void;
  onOpen: (nodeId: string) => void;
};

/** One line of the outline: a card with its kind and state, or a link. Screen readers and sighted users get the same text. */
export const OutlineLine = memo(Line, isSameLine);

function Line({ row, place, state, total, isTabStop, shown, onFocus, onOpen, ...inRun }: LineProps) {
  const tabIndex = isTabStop ? 0 : -1;
  if (row.kind === 'link') {
    return (
      <div
        role="treeitem"
        aria-level={2}
        tabIndex={tabIndex}
        className={styles.link}
        data-link-id={row.link.id}
        data-from={row.from.id}
        data-to={row.to.id}
        data-in-run={inRun.inRun}
        onFocus={() => onFocus(row, place)}
      >
        {shown && <CornerDownRight size={14} strokeWidth={1.75} aria-hidden />}
        <LinkWords from={row.from.title} to={row.to.title} run={row.link.run} meaning={row.meaning} {...inRun} />
      </div>
    );
  }
  const { node, index } = row;
  return (
    <div
      role="treeitem"
      aria-level={1}
      aria-posinset={index + 1}
      aria-setsize={total}
      tabIndex={tabIndex}
      className={styles.card}
      data-node-id={node.id}
      data-node-type={node.type}
      data-state={state}
      aria-expanded={isGroup(node) ? !isFolded(node) : undefined}
      onFocus={() => onFocus(row, place)}
      onDoubleClick={() => onOpen(node.id)}
    >
      {shown ? (
        <ShownCard node={node} state={doesWork(node) ? state : null} {...inRun} />
      ) : (
        <CardWords node={node} state={state} {...inRun} />
      )}
    </div>
  );
}

/** An added or removed card changes the numbers of the lines after it. Their texts stay memoized, since looking texts up takes most of the time. */
const LinkWords = memo(({ from, to, run = {}, meaning, inRun, round, rounds, tools }: LinkWordsProps) => {
  const { t } = useTranslation('canvas');
  const words = [tools, linkWords(run, meaning, t), linkRunWords(run, inRun, { round, rounds }, t)].filter(Boolean).join(', ');
  return words === '' ? t('outline.link', { from, to }) : t('outline.linkWith', { from, to, words });
});

type LinkWordsProps = LineInRun & { from: string; to: string; run: LinkSettings | undefined; meaning: LinkMeaning | null };

const CardWords = memo(({ node, state, ...inRun }: LineInRun & { node: CanvasNode; state: CardState }) => {
  const { t } = useTranslation('canvas');
  const progress = progressWords(inRun, t);
  const kind = [t(kindKey(node)), ...settingsOf(node).map((setting) => t(`outline.setting.${setting}`))].join(', ');
  if (doesWork(node)) return t('outline.node', { title: node.title, kind, state: [t(`outline.state.${state}`), ...progress].join(', ') });
  return t('outline.mark', { title: isNote(node) ? (node.description ?? '') : node.title, kind: [kind, ...progress].join(', ') });
});

/** The round of a card's review loop, the items of its list or of a group's, and what its agent does with tools. */
function progressWords({ round, rounds, itemsDone, itemsTotal, tools, asks, leftOut }: LineInRun, t: TFunction<'canvas'>): string[] {
  const items = itemsTotal > 0 ? t('outline.items', { done: itemsDone, total: itemsTotal }) : '';
  return [leftOut ? t(`card.${leftOut}`) : '', asks ? t('question.badge') : '', roundWords({ round, rounds }, t), items, tools].filter(
    Boolean,
  );
}

function kindKey(node: CanvasNode) {
  return `outline.kind.${isPersonCard(node) ? 'person' : node.isUser ? 'user' : node.type}` as const;
}

/** Compares the shown values: rows are new objects after every change of the document. */
function isSameLine({ row: a, ...before }: LineProps, { row: b, ...after }: LineProps): boolean {
  if (Object.entries(after).some(([name, value]) => before[name as keyof typeof before] !== value)) return false;
  if (a.index !== b.index) return false;
  if (a.kind === 'node') return b.kind === 'node' && a.node === b.node;
  return b.kind === 'link' && a.link === b.link && a.meaning === b.meaning && a.from === b.from && a.to === b.to;
}

function ShownCard({ node, state, ...inRun }: LineInRun & { node: CanvasNode; state: CardState | null }) {
  const { t } = useTranslation('canvas');
  const progress = progressWords(inRun, t).join(', ');
  const Sign = state && stateSigns[state];
  return (
    <>
      <RoleTile name={nodeIconName(node)} hue={nodeHue(node)} size={28} />
      <span className={styles.title}>{node.title}</span>
      <span className={styles.kind}>{t(kindKey(node))}</span>
      {progress && <span className={styles.kind}>{progress}</span>}
      {Sign && (
        <span className={styles.state} data-state={state}>
          <Sign size={14} strokeWidth={2} aria-hidden />
          {t(`outline.state.${state}`)}
        </span>
      )}
    </>
  );
}

/** States differ in shape as on the cards. */
const stateSigns: Record<CardState, LucideIcon> = {
  idle: Circle,
  waiting: Clock,
  active: LoaderCircle,
  paused: CirclePause,
  done: CircleCheck,
  failed: OctagonX,
  stopped: Ban,
  skipped: Ban,
};

/** Returns the run settings of a card or a group that are not the default, as keys of their texts. */
function settingsOf({ step, forEach, disabled }: CanvasNode) {
  return [
    ...(disabled ? (['disabled'] as const) : []),
    ...(step?.firstWins ? (['firstWins'] as const) : []),
    ...(step?.onFailure ? (['goOn'] as const) : []),
    ...(forEach ? (['list'] as const) : []),
  ];
}

/** Triggers and dialogs start work and do none. */
function doesWork(node: CanvasNode): boolean {
  return !isAnnotation(node) && canvasKinds[node.type].card === 'work';
}
