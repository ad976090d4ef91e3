import type { CommandState } from '../../../../contract/command.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Backend, BackendError } from '../backends/port.ts';
import type { Environment } from '../environment/environment.ts';

/** How often a command is read, and after how many times its agent is shown to be late: 300 s. W9.03 */
export const commandPollMs = 5_000;
export const maxPollsBeforeLate = 60;

export type CommandEnd = { ended: CommandState } | { unknowable: Problem };

type WatchOptions = {
  /** Title of the agent that carries the command out. */
  agent: string;
  onLate: () => void;
  /** Reading has failed after it had worked; it is tried again. */
  onTrouble: (problem: Problem) => void;
};

/**
 * Follows one command to its end: reads it every 5 s and whenever it is woken, also when it was woken while it was being read. A wait
 * that grows too long is reported once and goes on. A fault that no repetition changes ends it; after any other it reads again. W8.02
 */
export class CommandWatch {
  readonly #backend: Pick<Backend, 'readCommand'>;
  readonly #environment: Pick<Environment, 'later'>;
  readonly id: string;
  #endPause: (() => void) | null = null;
  /** Woken since the last reading began: the next one begins without a pause. */
  #isWoken = false;
  #closed = false;

  constructor(id: string, backend: Pick<Backend, 'readCommand'>, environment: Pick<Environment, 'later'>) {
    this.id = id;
    this.#backend = backend;
    this.#environment = environment;
  }

  /** Null when it was closed before the end. */
  async end({ agent, onLate, onTrouble }: WatchOptions): Promise<CommandEnd | null> {
    let worked = true;
    for (let poll = 1; ; poll += 1) {
      await this.#pause();
      if (this.#closed) return null;
      const answer = await this.#backend.readCommand(this.id);
      if (this.#closed) return null;
      if (answer.ok && hasEnded(answer.value)) return { ended: answer.value };
      const problem = answer.ok ? null : lastingProblem(answer.fault, agent);
      if (problem) return { unknowable: problem };
      if (!answer.ok && worked) onTrouble(answer.fault.problem);
      worked = answer.ok;
      if (poll === maxPollsBeforeLate) onLate();
    }
  }

  /** A message about the command came: reads it now, or once more after the reading under way. */
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

/** Why reading again is of no use; null when it may be. */
function lastingProblem({ problem, status }: BackendError, agent: string): Problem | null {
  if (String(problem.params?.message ?? '').includes('Validation errors')) return { code: 'console.validationError', params: { agent } };
  if (isUnexpected(problem)) return { code: 'agent.unexpectedResult', params: { agent } };
  return status === 400 || status === 404 ? { code: 'console.commandNotFound', params: { agent } } : null;
}

/** Whether an answer came with a result that cannot be read. */
export function isUnexpected({ code, params }: Problem): boolean {
  return code === 'bad_answer' && /^(result|response|choices)$/.test(String(params?.field));
}
