import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { serverNodeOptions } from '../node-options.ts';

export type ServerProcess = {
  /** Without a slash at the end. */
  url: string;
  pid: number;
  /** The server's output so far, about the last ten million characters of it. */
  logs: () => string;
  /** Whether the process has not ended yet. */
  running: () => boolean;
  /** Resolves with the exit code, null when a signal ended it, once the process is gone. */
  ended: Promise<number | null>;
  /** Sends a signal and resolves as `ended` does. */
  kill: (signal: NodeJS.Signals) => Promise<number | null>;
};

type ServerStart = {
  /** The complete environment of the server. Nothing of this process's environment is added. */
  env: Record<string, string>;
  /** Called with each part of the server's output. */
  onOutput?: (text: string) => void;
  /** True starts it in its own process group: an interrupt at the terminal then reaches only the parent. */
  apart?: boolean;
  /** The file that Node runs. By default the server's source. */
  program?: string;
};

const root = join(import.meta.dirname, '..', '..');
/** The Node of the installation, also when another one runs this script. */
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const source = join(root, 'server', 'main.ts');
/** A busy machine needs more than half of it to start the sources. */
const readyWithinMs = 110_000;
const maxKeptLength = 10_000_000;

/** Starts the server as a process and resolves when it is ready. Throws with its output when it does not become ready. */
export async function startServerProcess({ env, onOutput, apart = false, program = source }: ServerStart): Promise<ServerProcess> {
  const child = spawn(node, [...serverNodeOptions, program], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: apart,
  });
  const output = createOutput();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output.add(text);
      onOutput?.(text);
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const url = await readyAddress(child, ended, output.read).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    pid: child.pid as number,
    logs: output.read,
    running: () => child.exitCode === null && child.signalCode === null,
    ended,
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The last ten million characters or so of what is added. Cutting one long string at each addition would take most of the time. */
function createOutput() {
  const parts: string[] = [];
  let length = 0;
  return {
    add(text: string) {
      parts.push(text);
      length += text.length;
      while (length > maxKeptLength && parts.length > 1) length -= parts.shift()?.length ?? 0;
    },
    read: () => parts.join(''),
  };
}

function readyAddress(child: ChildProcess, ended: Promise<number | null>, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The server ${why}. It printed:\n${output()}`));
    const limit = setTimeout(() => fail(`was not ready in ${readyWithinMs / 1000} s`), readyWithinMs);
    const look = () => {
      const address = /^Artel is ready at (http\S+)$/m.exec(output())?.[1];
      if (address === undefined) return;
      clearTimeout(limit);
      child.stdout?.off('data', look);
      resolve(address.replace('//localhost', '//127.0.0.1'));
    };
    child.stdout?.on('data', look);
    child.once('error', (error) => fail(`did not start: ${error.message}`));
    void ended.then((code) => {
      clearTimeout(limit);
      fail(`ended with ${code}`);
    });
  });
}
