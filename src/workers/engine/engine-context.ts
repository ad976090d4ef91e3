import type { EngineSession, EngineSource } from '../protocol.ts';
import type { Backend } from './backends/port.ts';
import type { Notify } from './engine-module.ts';
import type { Environment } from './environment/environment.ts';
import type { Console } from './store/console.ts';
import type { Notices } from './store/notices.ts';
import type { Store } from './store/store.ts';

/** What every module of the engine works with. Built once, before the modules. */
export type EngineContext = {
  source: EngineSource;
  store: Store;
  backend: Backend;
  environment: Environment;
  console: Console;
  notices: Notices;
  /** Aborted when the workspace closes: a call that has begun is then retried without a wait, and its result is not followed. */
  signal: AbortSignal;
  session: () => EngineSession | null;
  /** Language of texts that the engine makes. */
  language: () => string;
  /** The name under which this tab writes. */
  tabId: () => string;
  /** Calls a hook of all modules, in the order in which they were made. */
  notify: Notify;
};
