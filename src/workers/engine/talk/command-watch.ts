import type { CommandState } from '../../../../contract/command.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Backend, BackendFault } from '../backends/port.ts';
import type { Environment } from '../environment.ts';

/** How often a command is asked for, and after how many times its agent is said to be late: 300 s. W9.03 */
export const commandPollMs = 5_000;
export const mostPolls = 60;

export type CommandEnd = { ended: CommandState } | { given: 'up'; problem: Problem };

type CommandWaiter = {
  /** Title of the agent that is waited for. */
  agent: string;
  onLate: () => void;
  /** Asking has failed after it had worked; it is asked again. */
  onTrouble: (problem: Problem) => void;
};

/**
 * Follows one command to its end, by asking every 5 s and whenever it is woken. A wait that grows too long is said once and goes
 * on; what can never be answered ends it; everything else is asked again. W8.02
 */
export class CommandWatch {
  readonly #backend: Pick<Backend, 'readCommand'>;
  readonly #environment: Pick<Environment, 'later'>;
  readonly id: string;
  #wake: (() => void) | null = null;
  #closed = false;

  constructor(id: string, backend: Pick<Backend, 'readCommand'>, environment: Pick<Environment, 'later'>) {
    this.id = id;
    this.#backend = backend;
    this.#environment = environment;
  }

  /** Null when it was closed before the end. */
  async end({ agent, onLate, onTrouble }: CommandWaiter): Promise<CommandEnd | null> {
    let wasWell = true;
    for (let poll = 1; ; poll += 1) {
      await this.#pause();
      if (this.#closed) return null;
      const answer = await this.#backend.readCommand(this.id);
      if (this.#closed) return null;
      if (answer.ok && hasEnded(answer.value)) return { ended: answer.value };
      const problem = answer.ok ? null : hopeless(answer.fault, agent);
      if (problem) return { given: 'up', problem };
      if (!answer.ok && wasWell) onTrouble(answer.fault.problem);
      wasWell = answer.ok;
      if (poll === mostPolls) onLate();
    }
  }

  /** Something was heard of the command: asks now. */
  wake(): void {
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.wake();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#environment.later(commandPollMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

export function hasEnded({ status }: Pick<CommandState, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Why asking again is of no use; null when it may be. */
function hopeless({ problem, status }: BackendFault, agent: string): Problem | null {
  if (String(problem.params?.message ?? '').includes('Validation errors')) return { code: 'console.validationError', params: { agent } };
  if (isUnexpected(problem)) return { code: 'agent.unexpectedResult', params: { agent } };
  return status === 400 || status === 404 ? { code: 'console.commandNotFound', params: { agent } } : null;
}

/** Whether an answer came with a result that nobody can read. */
export function isUnexpected({ code, params }: Problem): boolean {
  return code === 'bad_answer' && /^(result|response|choices)$/.test(String(params?.field));
}
