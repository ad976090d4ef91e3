/** The normalised status of a piece of work. */
export type WorkStatus = 'waiting' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled' | 'unknown';
type AgentStatus = 'active' | 'inactive' | 'busy' | 'unknown';

/** An agent's status by number or name: 1 active, 0 inactive, 2 busy. */
export function parseAgentStatus(status: unknown): AgentStatus {
  return understand(status, { 0: 'inactive', 1: 'active', 2: 'busy', active: 'active', inactive: 'inactive', busy: 'busy' }, 'unknown');
}

/** A command's status: completed, finished, success or 3; cancelled; failed, error or 4; running, processing or 2. W4.09 */
export function parseCommandStatus(status: unknown): WorkStatus {
  return understand<WorkStatus>(status, { ...words, 2: 'running', 3: 'completed', 4: 'failed' }, 'unknown');
}

/** An execution's status; the numbers 1 and 2 count as active. W4.10 */
export function parseExecutionStatus(status: unknown): WorkStatus {
  return understand<WorkStatus>(status, { ...words, 1: 'running', 2: 'running' }, 'unknown');
}

/** A history item's status: 1 processing, 2 completed, 3 failed, 4 cancelled. */
export function parseHistoryStatus(status: unknown): WorkStatus {
  return understand<WorkStatus>(status, { ...words, 1: 'running', 2: 'completed', 3: 'failed', 4: 'cancelled' }, 'unknown');
}

const words: Record<string, WorkStatus> = {
  pending: 'waiting',
  queued: 'waiting',
  running: 'running',
  inprogress: 'running',
  processing: 'running',
  active: 'running',
  paused: 'paused',
  completed: 'completed',
  success: 'completed',
  finished: 'completed',
  failed: 'failed',
  error: 'failed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  stopped: 'cancelled',
};

function understand<T>(status: unknown, meanings: Record<string, T>, otherwise: T): T {
  const key = String(status ?? '')
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
  return Object.hasOwn(meanings, key) ? (meanings[key] as T) : otherwise;
}
