/** Limits of a request body, checked before the body is parsed. */
export type BodyLimits = {
  bytes: number;
  /** Values of all kinds, at every depth: entries of lists, members of records. */
  values: number;
  /** Entries of one list or record that is a field of the body. */
  entries: number;
};

/** Deeper than any schema of the contract, and far below a stack overflow. */
export const maxBodyDepth = 64;

const mebibyte = 1024 * 1024;

/** The default. The longest list of such a route is the steps of a pipeline. */
export const usualBody: BodyLimits = { bytes: mebibyte, values: 20_000, entries: 10_000 };

/** 1,000 agents with their skills; not each with the longest prompt. */
export const agentsBody: BodyLimits = { bytes: 4 * mebibyte, values: 70_000, entries: 1_000 };

/** Routes with long lists: an execution with every link of a canvas, a chat whose messages have many parts. */
export const listBody: BodyLimits = { bytes: mebibyte, values: 250_000, entries: 20_000 };

/** One file or archive, as bytes: no values are parsed. */
export const fileBody: BodyLimits = { bytes: 10 * mebibyte, values: 0, entries: 0 };

/** An answer to a question, with eight text files, that replaces files it has not seen. */
export const answerBody: BodyLimits = { bytes: 4 * mebibyte, values: 1_000, entries: 700 };

/** A pipeline of 10,000 steps and 40,000 links with all their settings, where 500 steps are those of persons. */
export const pipelineBody: BodyLimits = { bytes: 16 * mebibyte, values: 1_100_000, entries: 40_000 };

/**
 * Without the settings of runs, nodes have at most 23 values and links 8, one more each in a patch: 20,000 nodes with all fields, and twice as
 * many links.
 */
export const canvasBody: BodyLimits = { bytes: 16 * mebibyte, values: 20_000 * 24 + 40_000 * 9, entries: 60_000 };

/** A call of a released team: eight fields, of which some are files. */
export const teamRunBody: BodyLimits = { bytes: 16 * mebibyte, values: 200, entries: 100 };

/** The body of a webhook that is tried, as the text of a field: its quotes are escaped. */
export const triggerTrialBody: BodyLimits = { bytes: 2 * mebibyte, values: 200, entries: 100 };
