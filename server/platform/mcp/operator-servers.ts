import { spawnSync } from 'node:child_process';
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
  /** The user and the group of the process; those of this server unless given. */
  uid?: number;
  gid?: number;
};

/** What is wrong with the operator's file, in one line. */
export class OperatorServersError extends Error {}

const maxServers = 20;
const maxFileBytes = 256 * 1024;
/** Of users and groups: the number after it means none. */
const maxId = 2 ** 32 - 2;

const server = z.strictObject({
  command: z.string().refine(isAbsolute, { error: 'must be the absolute path of a program' }),
  args: z.array(z.string().max(4_000)).max(100).default([]),
  /** Names of variables of this server's environment. */
  variables: z
    .array(z.string().regex(/^[A-Za-z_]\w{0,99}$/, { error: 'must be the name of a variable' }))
    .max(50)
    .default([]),
  uid: z.number().int().min(0).max(maxId).optional(),
  gid: z.number().int().min(0).max(maxId).optional(),
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
    entries.map(([key, { command, args, variables, uid, gid }]) => {
      const wrong = (field: string, message: string) => new OperatorServersError(`the entry servers.${key}.${field} is wrong: ${message}`);
      if (!isProgram(command)) throw wrong('command', `there is no program ${command}`);
      const own = variables.findIndex((variable) => ownNames.includes(variable.toUpperCase()));
      if (own >= 0) throw wrong(`variables.${own}`, 'must be no setting of Artel itself');
      const missing = variables.find((variable) => env[variable] === undefined);
      if (missing !== undefined) throw wrong('variables', `${missing} is not set`);
      const user = { ...(uid !== undefined && { uid, gid: gid ?? uid }), ...(uid === undefined && gid !== undefined && { gid }) };
      if (!mayStartAs(user)) throw wrong(uid === undefined ? 'gid' : 'uid', 'this server may not start programs as this user');
      const environment = Object.fromEntries(variables.map((variable) => [variable, env[variable] as string]));
      return [key, { name: key, command, args, environment, ...user }];
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

/** Whether this server may start processes of a user and a group: only one that runs as root, or that has the right to change both. */
function mayStartAs(user: Pick<OperatorServer, 'uid' | 'gid'>): boolean {
  if (user.uid === undefined && user.gid === undefined) return true;
  if (process.getuid === undefined) return false;
  return spawnSync('/bin/sh', ['-c', ':'], { ...user, cwd: '/', env: {}, stdio: 'ignore' }).error === undefined;
}

/** Returns a warning for each program that runs as the server's own user, and so can read what the server can. */
export function operatorServersWarnings(servers: ReadonlyMap<string, OperatorServer>, own = process.getuid?.()): string[] {
  return [...servers.values()].flatMap(({ name, uid }) => {
    if (uid === 0 && own === 0) return [`The tool server ${name} runs as root: name another user by "uid" in ARTEL_TOOL_SERVERS_FILE.`];
    if (uid !== undefined && uid !== own) return [];
    return [
      `The tool server ${name} runs as the user of this server: it can read the server's key, its environment and all data. Name another user by "uid" in ARTEL_TOOL_SERVERS_FILE.`,
    ];
  });
}
