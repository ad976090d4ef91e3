/** The public interface of the inputs module: files that users give to runs. */
export { inputHandlers } from './handlers.ts';
export { inputFiles } from './input-files.ts';
export { type InputsOfRuns, inputsOfRuns, sealInputSet } from './inputs-of-runs.ts';
export { extractPdfText } from './pdf/extract-pdf-text.ts';
export { removeUnsentSets } from './remove-unsent-sets.ts';
export { createInputs, type InputsDeps } from './service.ts';
