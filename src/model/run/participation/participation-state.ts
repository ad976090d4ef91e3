import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { ValidationProblem } from '../../../../rules/checked-document.ts';
import type { DocumentCommand, ForeseeCommand } from '../../commands.ts';
import type { Problem } from '../../problem.ts';
import type { FoundLink } from '../plan/run-links.ts';
import type { RunScope } from '../plan/run-scope.ts';

/** What the next run has of the canvas. Cards and links that it leaves out are shown grey. */
export type Participation = {
  /** Cards of agents and people. Those that the user has left out do not count, unless all are. */
  taking: number;
  of: number;
  /** Whether parts of the run can work at the same time. */
  hasBranches: boolean;
  /** Cards and links that the run leaves out, notes and groups not among them. */
  leftOutNodes: readonly string[];
  leftOutLinks: readonly string[];
  /** What is left out by mistake, and what costs more than it seems to: the first ones. */
  reports: readonly ParticipationReport[];
  /** What the run begins with. */
  dialogNodeId: string | null;
  startNodeIds: readonly string[];
};

/** The parts of a run that reports are made of. */
export type TakingPart = {
  scope: RunScope;
  starters: readonly CanvasNode[];
  /** The run's cards and links of the canvas. */
  nodeIds: ReadonlySet<string>;
  linkIds: ReadonlySet<string>;
  /** The run's own links, and what each replaces on the canvas. */
  found: readonly FoundLink[];
  /** Whether the run follows links. Else its steps run one after another. */
  isGraph: boolean;
  /** Why its graph cannot run. */
  refusals: readonly ValidationProblem[];
};

export const emptyParticipation: Participation = {
  taking: 0,
  of: 0,
  hasBranches: false,
  leftOutNodes: [],
  leftOutLinks: [],
  reports: [],
  dialogNodeId: null,
  startNodeIds: [],
};

/**
 * Why the next run cannot start, leaves something out, or does more than it seems to, with what that asks of a person: Start is refused,
 * something is to be changed, or it is only said since the person has decided it. Each has a sentence `<kind>` in the locales' area
 * `participation`, with `params`. Each that is not only said has a few words `matter.<kind>` too.
 */
export const participationKinds = {
  /** A cycle that links enter at two cards or more, where the run follows links. */
  loopEntered: 'refuses',
  /** Any other rule of a run's graph, with its own sentence. */
  refused: 'refuses',
  /** A link that leads back, without rounds. */
  linkBack: 'change',
  /** A cycle without rounds that links enter at two cards or more. */
  twoEntries: 'change',
  noWayIn: 'change',
  /** A user's card that is only shown. */
  onlyShown: 'change',
  nameless: 'change',
  /** A review loop that no label ends: it runs all its rounds. */
  loopAlways: 'change',
  /** A card whose title says that it chooses, and whose ways have no names: it hands on to all of them. */
  routesToAll: 'change',
  /** A link of a dialog or a start card that holds: there is no result to hold. */
  holdsNothing: 'change',
  /** A link to a dialog or a start card: runs begin there. */
  intoStart: 'change',
  /** Any other link that the run does not follow. */
  passesNothing: 'change',
  /** A card that the user has left out. */
  disabled: 'said',
  /** What another dialog or start card begins. */
  otherStart: 'said',
} as const;
type ParticipationKind = keyof typeof participationKinds;
type Kinds = typeof participationKinds;
/** The kinds that a person should do something about. */
type OpenKind = { [Kind in ParticipationKind]: Kinds[Kind] extends 'said' ? never : Kind }[ParticipationKind];

/** Whether a person should do something about a report of this kind. */
export function isOpen(kind: ParticipationKind): kind is OpenKind {
  return participationKinds[kind] !== 'said';
}

export type ParticipationReport = {
  kind: ParticipationKind;
  params: Record<string, string | number>;
  /** What Start is refused with, where its sentence is that of the refusal. */
  problem?: Problem;
  /** Whether the run leaves these cards and links out. Else it has them. */
  isLeftOut: boolean;
  /** What shows it: the first one is what it is about. */
  nodeIds: readonly string[];
  linkIds: readonly string[];
  /** What mends it in one press, the best first. */
  cures: readonly ParticipationCure[];
};

/** Its words are `cure.<kind>` in the area `participation`, with `params`. */
export type ParticipationCure = { kind: Cure; params?: Record<string, string>; command: DocumentCommand | ForeseeCommand };

export type Cure =
  | 'linkIt'
  | 'runFirst'
  | 'leaveOut'
  | 'takeIn'
  | 'makeLoop'
  | 'labelLoop'
  | 'makeChoice'
  | 'removeLink'
  | 'removeEntry'
  | 'removeHold'
  | 'askPerson'
  | 'runThis';
