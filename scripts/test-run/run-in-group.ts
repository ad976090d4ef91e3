import { spawn } from 'node:child_process';

/** Runs a program of Node to its end. It has a process group of its own, to which an interrupt is handed on; this process then ends too. */
export async function runInGroup(args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const isGroup = process.platform !== 'win32';
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'inherit', detached: isGroup });
  const interrupt = () => {
    if (child.pid !== undefined) process.kill(isGroup ? -child.pid : child.pid, 'SIGINT');
    process.exitCode = 130;
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  if (process.exitCode === 130) process.exit();
}
