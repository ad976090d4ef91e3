import type { Failure } from '../../../../contract/errors.ts';
import type { StepSettings } from '../../budgets/index.ts';
import type { GraphInputs } from '../graph/graph-inputs.ts';
import type { StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';
import type { StepFailure } from './end-run.ts';
import type { Snapshot, Transition } from './transition.ts';

/** An execution with a step that an attempt has begun. */
export type Claim = Snapshot & {
  step: StepRow;
  /** An earlier attempt at the step was killed: the model call that it made is lost. */
  isCutOff?: boolean;
  /** Undefined when they were not read yet. */
  settings?: StepSettings;
  /** The input of a step in a graph. A step of a chain gets all earlier results. */
  inputs?: GraphInputs;
};

/** What is stored with an answer: thoughts before it, and the log of the tests that were executed after it. */
export type AboutAnswer = { thoughts: string | null; testLog?: string };

/** Stores how a step goes on and ends. A late attempt, or one whose write was stored and whose reply was lost, changes nothing twice. */
export type StepEnds = {
  completed: (claim: Claim, answer: StepAnswer, about: AboutAnswer) => Promise<void>;
  failed: (claim: Claim, failed: StepFailure) => Promise<void>;
  /** Records a retry of the model call, its reason, and the wait before it (ms). */
  retrying: (claim: Claim, failure: Failure, waitMs: number) => Promise<void>;
  /** Stores turns and calls of a step that goes on. Returns the claim after it; null when another attempt owns the step, or the run has ended. */
  progress: (claim: Claim, work: StepWork) => Promise<Claim | null>;
  /** Leaves the step, which waits for a person or begins again. */
  suspended: (claim: Claim, work: StepWork) => Promise<void>;
};

export type StepWork = (change: Transition, step: StepRow) => Promise<void>;
