import type { Failure } from '../../../../contract/errors.ts';
import type { StepSettings } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';
import type { StepFailure } from './end-run.ts';
import type { GraphStart } from './graph-changes.ts';
import type { GraphInputs } from './graph-inputs.ts';
import type { Snapshot, Transition } from './transition.ts';

/** An execution with the step that an attempt has taken. */
export type Claim = Snapshot & {
  step: StepRow;
  /** An earlier attempt at the step was killed: the model call that it made is lost. */
  isCutOff?: boolean;
  /** Undefined when they were not read yet. */
  settings?: StepSettings;
  /** The input of a step in a graph. */
  inputs?: GraphInputs;
};

/** The next action of an attempt after a step: a further step, a pause before it, or the end. */
export type NextAction =
  | { kind: 'next'; claim: Claim }
  | { kind: 'graph'; start: GraphStart }
  | { kind: 'pause'; pauseMs: number; known: Snapshot }
  /** `isSettled`: the job was removed by the write that ended the run. */
  | { kind: 'end'; isSettled?: true };

/** What is stored with an answer: thoughts before it, and the log of the tests that were executed after it. */
export type AboutAnswer = { thoughts: string | null; testLog?: string; takesNext: boolean };

/** Stores how a step ended. */
export type StepEnds = {
  completed: (claim: Claim, answer: StepAnswer, about: AboutAnswer) => Promise<NextAction>;
  failed: (claim: Claim, failed: StepFailure) => Promise<NextAction>;
  retrying: (claim: Claim, failure: Failure) => Promise<void>;
  /**
   * Stores turns and calls of a step that goes on. A write that was stored before, with a lost reply, is not repeated. Returns the claim after
   * it; null when another attempt owns the step, or the run has ended.
   */
  progress: (claim: Claim, work: StepWork) => Promise<Claim | null>;
  /** Leaves the step, which waits for a person. A chain follows links from then on. */
  suspended: (claim: Claim, work: StepWork) => Promise<NextAction>;
};

export type StepWork = (change: Transition, step: StepRow) => Promise<void>;
