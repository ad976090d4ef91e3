import type { CommandState } from '../../../../contract/command.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Backend, BackendError } from '../backends/port.ts';
import type { Environment } from '../environment/environment.ts';

/** The interval of polls (ms), and the number of polls after which the agent counts as late: 300 s. W9.03 */
export const commandPollMs = 5_000;
export const maxPollsBeforeLate = 60;

type CommandEnd = { ended: CommandState } | { unknowable: Problem };

type WatchOptions = {
  /** The title of the agent that executes the command. */
  agent: string;
  onLate: () => void;
  /** A poll failed after earlier ones had succeeded; it is retried. */
  onTrouble: (problem: Problem) => void;
};

/**
 * Follows one command to its end. Polls it every 5 s and at each wake-up; a wake-up during a poll causes another poll. A wait
 * that is too long is reported once and continues. A permanent error ends it; after any other error it polls again. W8.02
 */
export class CommandWatch {
  readonly #backend: Backend;
  readonly #environment: Pick<Environment, 'later'>;
  readonly id: string;
  #endPause: (() => void) | null = null;
  /** Whether it was woken since the last poll began: then the next one begins without a pause. */
  #isWoken = false;
  #closed = false;

  constructor(id: string, backend: Backend, environment: Pick<Environment, 'later'>) {
    this.id = id;
    this.#backend = backend;
    this.#environment = environment;
  }

  /** Null if it was closed before the end. */
  async end({ agent, onLate, onTrouble }: WatchOptions): Promise<CommandEnd | null> {
    let worked = true;
    for (let poll = 1; ; poll += 1) {
      await this.#pause();
      if (this.#closed) return null;
      const answer = await this.#backend.call('command.status', { params: { id: this.id } });
      if (this.#closed) return null;
      if (answer.ok && hasEnded(answer.value)) return { ended: answer.value };
      const problem = answer.ok ? null : lastingProblem(answer.fault, agent);
      if (problem) return { unknowable: problem };
      if (!answer.ok && worked) onTrouble(answer.fault.problem);
      worked = answer.ok;
      if (poll === maxPollsBeforeLate) onLate();
    }
  }

  /** Polls immediately, or once more after the current poll. Called for a message about the command. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause?.();
  }

  close(): void {
    this.#closed = true;
    this.#endPause?.();
  }

  async #pause(): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const cancel = this.#environment.later(commandPollMs, resolve);
        this.#endPause = () => {
          cancel();
          resolve();
        };
      });
      this.#endPause = null;
    }
    this.#isWoken = false;
  }
}

export function hasEnded({ status }: Pick<CommandState, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Returns the permanent problem of a call; null if a retry may succeed. */
function lastingProblem({ problem, status }: BackendError, agent: string): Problem | null {
  if (String(problem.params?.message ?? '').includes('Validation errors')) return { code: 'console.validationError', params: { agent } };
  if (isUnexpected(problem)) return { code: 'agent.unexpectedResult', params: { agent } };
  return status === 400 || status === 404 ? { code: 'console.commandNotFound', params: { agent } } : null;
}

/** Returns whether an answer has a result that cannot be parsed. */
export function isUnexpected({ code, params }: Problem): boolean {
  return code === 'bad_answer' && /^(result|response|choices)$/.test(String(params?.field));
}
