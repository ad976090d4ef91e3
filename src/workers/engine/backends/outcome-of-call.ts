import type { CommandResult } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import type { EngineContext } from '../engine-context.ts';
import { type Answer, refusal } from './port.ts';

type Results = NonNullable<CommandResult>;

/** The outcome of a command that makes one call: `result` makes the command's result of the answer. */
export async function outcomeOfCall<T>(
  call: Promise<Answer<T>>,
  result: (value: T) => CommandResult = () => undefined,
): Promise<Outcome<CommandResult>> {
  const answer = await call;
  return answer.ok ? { ok: true, value: result(answer.value) } : refusal(answer.fault);
}

/** The same for a call for the open project. */
export async function outcomeInProject<T>(
  { store }: Pick<EngineContext, 'store'>,
  call: (projectId: string) => Promise<Answer<T>>,
  result?: (value: T) => CommandResult,
): Promise<Outcome<CommandResult>> {
  const { project } = store.state;
  return project ? outcomeOfCall(call(project.id), result) : failed('workspace.opening');
}

/** A result that is the whole answer, under this name. */
export function resultAs<Part extends keyof Results>(part: Part): (value: NonNullable<Results[Part]>) => CommandResult {
  return (value) => ({ [part]: value });
}
