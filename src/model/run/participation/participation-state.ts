import type { DocumentCommand, ForeseeCommand } from '../../commands.ts';

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
 * Why the next run leaves something out, or does more than it seems to. Each has a sentence `<kind>` in the locales' area
 * `participation`, with `params`.
 */
type ParticipationKind =
  /** A link that leads back, without rounds. */
  | 'linkBack'
  /** A cycle without rounds that links enter at two cards or more. */
  | 'twoEntries'
  | 'noWayIn'
  /** A user's card that is only shown. */
  | 'onlyShown'
  /** A card that the user has left out. */
  | 'disabled'
  | 'nameless'
  /** What another dialog or start card begins. */
  | 'otherStart'
  /** A review loop that no label ends: it runs all its rounds. */
  | 'loopAlways'
  /** A link of a dialog or a start card that holds: there is no result to hold. */
  | 'holdsNothing'
  /** A link to a dialog or a start card: runs begin there. */
  | 'intoStart'
  /** Any other link that the run does not follow. */
  | 'passesNothing';

export type ParticipationReport = {
  kind: ParticipationKind;
  params: Record<string, string | number>;
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
  | 'removeLink'
  | 'removeEntry'
  | 'removeHold'
  | 'askPerson'
  | 'runThis';
