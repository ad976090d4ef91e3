export { resultHandlers } from './handlers.ts';
export { createRecorder, type RecordedRun, type Recorder, type RunOutcome } from './recorder.ts';
export { resultWords } from './result-words.ts';
export { createResults, type Results, type ResultsDeps } from './service.ts';
