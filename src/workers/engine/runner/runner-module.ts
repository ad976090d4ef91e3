import type { Command } from '../../../model/commands.ts';
import { refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type RunnerType = Extract<Command['type'], `runner.${string}`>;

/** Connects the server to the runner of its machine. Which runner it has is read on demand. */
export function createRunnerModule({ backend }: EngineContext): EngineModule<RunnerType> {
  const outcome = async (call: ReturnType<typeof backend.disconnectRunner>) => {
    const answer = await call;
    return answer.ok ? { ok: true as const, value: undefined } : refusal(answer.fault);
  };
  return {
    handlers: {
      'runner.connect': () => outcome(backend.connectRunner()),
      'runner.disconnect': () => outcome(backend.disconnectRunner()),
    },
  };
}
