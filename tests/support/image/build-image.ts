import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { linkTree, putFile } from './copy-files.ts';
import { imageCommands } from './image-commands.ts';
import { imageContext } from './image-context.ts';
import { type Instruction, readCopy, readDockerfile, type Stage } from './read-dockerfile.ts';

/** One stage of an image as a folder of this machine. */
export type BuiltStage = {
  /** The folder that is `/` in the image. */
  root: string;
  /** From `root`, for example `/app`. */
  workdir: string;
  /** What ENV and ARG set, with paths of the image. */
  env: Record<string, string>;
  command: string[];
  /** What HEALTHCHECK runs. */
  healthCheck: string[];
};

const repository = join(import.meta.dirname, '..', '..', '..');

/**
 * Carries out the instructions of a Dockerfile in a folder of this machine, without Docker, and returns its stages in order.
 * `image-commands.ts` says which commands of RUN are replaced. The base images, users, owners and volumes are left out. With
 * `runs: false` only files are copied: what a RUN would make is missing.
 */
export async function buildImage(dockerfile: string, folder: string, { runs }: { runs: boolean }): Promise<BuiltStage[]> {
  const stages = readDockerfile(await readFile(join(repository, dockerfile), 'utf8'));
  const commands = await imageCommands(join(folder, 'commands'));
  const context = imageContext(repository);
  const built = new Map<string, BuiltStage>();
  for (const stage of stages) built.set(stage.name, await buildStage(stage, { folder, runs, commands, context, built }));
  return [...built.values()];
}

type Build = { folder: string; runs: boolean; commands: string; context: string[]; built: Map<string, BuiltStage> };
type Act = (stage: BuiltStage, args: string, build: Build) => void | Promise<void>;

async function buildStage({ name, base, instructions }: Stage, build: Build): Promise<BuiltStage> {
  const root = join(build.folder, name);
  mkdirSync(root, { recursive: true });
  const before = build.built.get(base);
  if (before) linkTree(before.root, root);
  const stage = { root, workdir: before?.workdir ?? '/', env: { ...before?.env }, command: before?.command ?? [], healthCheck: [] };
  for (const instruction of instructions) await carryOut(instruction, stage, build);
  return stage;
}

async function carryOut({ name, args }: Instruction, stage: BuiltStage, build: Build): Promise<void> {
  const act = acts[name];
  if (act === undefined) throw new Error(`${name} ${args}: no test knows this instruction.`);
  try {
    await act(stage, args, build);
  } catch (error) {
    throw new Error(`${name} ${args}\n${(error as Error).message}`);
  }
}

const nothing: Act = () => {};
const setVariables: Act = (stage, args) => {
  for (const [, name = '', value = ''] of args.matchAll(/(\w+)=(\S*)/g)) stage.env[name] = value;
};
const acts: Record<string, Act> = {
  ...{ USER: nothing, EXPOSE: nothing, VOLUME: nothing, STOPSIGNAL: nothing },
  ARG: setVariables,
  ENV: setVariables,
  CMD: (stage, args) => {
    stage.command = JSON.parse(args) as string[];
  },
  COPY: copy,
  HEALTHCHECK: (stage, args) => {
    stage.healthCheck = JSON.parse(args.replace(/^.*?\bCMD /, '')) as string[];
  },
  RUN: run,
  WORKDIR: (stage, args) => {
    stage.workdir = args;
    mkdirSync(join(stage.root, args), { recursive: true });
  },
};

function copy(stage: BuiltStage, args: string, { built, context, runs }: Build): void {
  const { from, sources, target } = readCopy(args);
  const place = target.startsWith('/') ? join(stage.root, target) : join(stage.root, stage.workdir, target);
  if (sources.length > 1 && !target.endsWith('/')) throw new Error('The target of several sources ends with a slash.');
  for (const source of sources) {
    if (from !== null) {
      const made = join(built.get(from)?.root ?? '', source);
      if (runs || existsSync(made)) linkTree(made, place);
      continue;
    }
    const inside = context.filter((file) => file.startsWith(`${source}/`));
    if (context.includes(source)) putFile(join(repository, source), /\/$|^\.$/.test(target) ? join(place, basename(source)) : place);
    else if (inside.length === 0) throw new Error(`${source} is not among the files that the build has.`);
    for (const file of inside) putFile(join(repository, file), join(place, file.slice(source.length)));
  }
}

async function run(stage: BuiltStage, command: string, { commands, runs }: Build): Promise<void> {
  if (!runs) return;
  // A path of the image is below the folder of its stage.
  const moved = command.replaceAll(/(?<=\s)\/(?=\w)/g, '"$IMAGE_ROOT"/');
  if (/(?<![\w.@*}"-])\//.test(moved)) throw new Error('It names a path of the image in a way that would lead to one of this machine.');
  const env = { PATH: `${commands}:${process.env.PATH}`, HOME: stage.root, ...stage.env, IMAGE_ROOT: stage.root };
  const options = { cwd: join(stage.root, stage.workdir), env, maxBuffer: 32 * 1024 * 1024 };
  await promisify(execFile)('/bin/sh', ['-c', moved], options).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
}
