import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { HistoryList } from '../history/lazy-history-list.ts';

/** The tabs of the console that are not open at first. Their scripts come when the browser is idle, that of the files when its tab is opened. */
export const Files = lazyPart(() => import('./files/files.tsx').then((file) => file.Files));
export const Live = lazyPart(() => import('./live/live.tsx').then((file) => file.Live));
export const Summary = lazyPart(() => import('./summary/summary.tsx').then((file) => file.Summary));
export const Tests = lazyPart(() => import('./test-tab/tests.tsx').then((file) => file.Tests));
export const Thinking = lazyPart(() => import('./thinking/thinking.tsx').then((file) => file.Thinking));

/** Preloads the small tabs. A tab that did not load is loaded again when it is opened. */
export function loadLaterTabs(): void {
  for (const part of [HistoryList, Live, Summary, Tests, Thinking]) part.load().catch(() => undefined);
}
