export { resultHandlers } from './handlers.ts';
export { createRecorder, type RecordedRun, type Recorder, type RunOutcome } from './recorder.ts';
export { resultTexts } from './result-texts.ts';
export { createResults } from './service.ts';
