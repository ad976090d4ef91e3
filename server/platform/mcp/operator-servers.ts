import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** A tool server that the operator lets the runs of all projects start, as a process of its own. */
export type OperatorServer = {
  name: string;
  /** The program's path. */
  command: string;
  args: readonly string[];
  /** The whole environment of the process. */
  environment: Readonly<Record<string, string>>;
};

/** What is wrong with the operator's file, in one line. */
export class OperatorServersError extends Error {}

const maxServers = 20;
const maxFileBytes = 256 * 1024;

const server = z.strictObject({
  command: z.string().refine(isAbsolute, { error: 'must be the absolute path of a program' }),
  args: z.array(z.string().max(4_000)).max(100).default([]),
  /** Names of variables of this server's environment. */
  variables: z
    .array(z.string().regex(/^[A-Za-z_]\w{0,99}$/, { error: 'must be the name of a variable' }))
    .max(50)
    .default([]),
});
const name = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u, { error: 'must be a name of letters and digits' });
const file = z.strictObject({ servers: z.record(name, server) });

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the tool servers of the operator's file; none without a file. No program gets a variable of `ownNames`. Throws an `OperatorServersError`
 * that names the line or the entry.
 */
export function readOperatorServers(path: string | null, env: Environment, ownNames: readonly string[]): Map<string, OperatorServer> {
  if (path === null) return new Map();
  try {
    return serversIn(path, env, ownNames);
  } catch (error) {
    if (error instanceof OperatorServersError) error.message = `ARTEL_TOOL_SERVERS_FILE (${path}): ${error.message}.`;
    throw error;
  }
}

function serversIn(path: string, env: Environment, ownNames: readonly string[]): Map<string, OperatorServer> {
  const parsed = file.safeParse(jsonIn(path));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const { message } = issue?.code === 'invalid_key' ? (issue.issues[0] ?? issue) : (issue ?? { message: '' });
    throw new OperatorServersError(`the entry ${issue?.path.map(String).join('.') || 'servers'} is wrong: ${message}`);
  }
  const entries = Object.entries(parsed.data.servers);
  if (entries.length > maxServers) throw new OperatorServersError(`it has more than ${maxServers} servers`);
  return new Map(
    entries.map(([key, { command, args, variables }]) => {
      const wrong = (field: string, message: string) => new OperatorServersError(`the entry servers.${key}.${field} is wrong: ${message}`);
      if (!isProgram(command)) throw wrong('command', `there is no program ${command}`);
      const own = variables.findIndex((variable) => ownNames.includes(variable.toUpperCase()));
      if (own >= 0) throw wrong(`variables.${own}`, 'must be no setting of Artel itself');
      const missing = variables.find((variable) => env[variable] === undefined);
      if (missing !== undefined) throw wrong('variables', `${missing} is not set`);
      const environment = Object.fromEntries(variables.map((variable) => [variable, env[variable] as string]));
      return [key, { name: key, command, args, environment }];
    }),
  );
}

function jsonIn(path: string): unknown {
  let text: string;
  try {
    if (statSync(path).size > maxFileBytes) throw new OperatorServersError('it is larger than 256 KiB');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof OperatorServersError) throw error;
    throw new OperatorServersError(`it cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    const line = at === undefined ? text.split('\n').length : text.slice(0, Number(at)).split('\n').length;
    throw new OperatorServersError(`line ${line} is no JSON`);
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
