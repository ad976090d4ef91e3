import { lazyPart } from '../../../ui/loading/lazy-part.tsx';

/** The project's runs: a tab of the console, and a panel beside the canvas. */
export const HistoryList = lazyPart(() => import('./history-list.tsx').then((file) => file.HistoryList));
