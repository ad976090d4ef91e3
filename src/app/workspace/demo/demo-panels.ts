import type { Panels } from '../frame/panels.tsx';

/** On a wide screen the console is open at first, below as much canvas as leaves the cards readable. */
export const demoPanels: Partial<Panels> = { console: 'open', consoleHeight: 264, minimap: false };
