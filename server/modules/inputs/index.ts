/** The public interface of the inputs module: files that users give to runs. */

export { removeUnusedBases } from './bases/remove-unused-bases.ts';
export { extractText } from './documents/extract-text.ts';
export type { EncodedVersion } from './encoded-files.ts';
export { inputHandlers } from './handlers.ts';
export { type BaseVersion, InputFiles } from './input-files.ts';
export { type InputsOfRuns, inputsOfRuns, sealInputSet } from './inputs-of-runs.ts';
export { removeUnsentSets } from './remove-unsent-sets.ts';
export { Inputs } from './service.ts';
export type { FollowedRun } from './tables.ts';
