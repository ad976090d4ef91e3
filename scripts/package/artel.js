#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import util from 'node:util';

/**
 * The command `artel` of the package: it finds a Node that is new enough, makes settings of the options, and becomes the program that was asked
 * for. Until the new Node has it, it is plain JavaScript that Node 14 reads, with imports that Node 14 knows, so that it can say what is needed.
 */
const neededNode = 24;
const usage = `artel                  starts Artel and says its address
  --port NUMBER        the port: 5001, or the next free one
  --host ADDRESS       the address to listen on: 127.0.0.1
  --runner             starts the runner too, which executes tests of projects
  --no-open            opens no browser
artel backup FILE      writes a snapshot of all data [--with-secret] [--force]
artel nightly-backup   makes a backup each night, until it is stopped [--check]
artel restore FILE     loads a snapshot [--replace] [--other-secret]
artel account export ADDRESS FILE, artel account delete ADDRESS [--now]
artel runner           starts only the runner
artel version          says the version

All take --data FOLDER, where the data is: ~/.artel. Settings of the environment hold too.`;

const here = dirname(fileURLToPath(import.meta.url));
const programs = {
  start: join(here, 'start.mjs'),
  backup: join(here, '..', 'backup.mjs'),
  'nightly-backup': join(here, '..', 'nightly-backup.mjs'),
  restore: join(here, '..', 'restore.mjs'),
  account: join(here, '..', 'account.mjs'),
  runner: join(here, '..', '..', 'deploy', 'runner', 'main.mjs'),
};

const node = newNode();
if (node === process.execPath) begin(process.argv.slice(2));
else runAsChild(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], process.env);

function begin(words) {
  // The folder may stand before the command, too.
  const length = words[0] === '--data' ? 2 : 1;
  if (/^--data(=|$)/.test(words[0] || '') && words.length > length) words.push(...words.splice(0, length));
  const isNamed = words.length > 0 && !words[0].startsWith('-');
  const name = isNamed ? words.shift() : 'start';
  if (name === 'help' || words.includes('--help')) console.log(usage);
  else if (name === 'version' || words.includes('--version')) console.log(readJson(join(here, '..', '..', 'package.json')).version);
  else if (!Object.hasOwn(programs, name)) refuse(`There is no command "${name}". There are:\n\n${usage}`);
  else become(name, settingsOf(name, words));
}

/** Returns the words for the program, and the settings that the options stand for. */
function settingsOf(name, words) {
  const own = { data: { type: 'string' } };
  const ofStart = { port: { type: 'string' }, host: { type: 'string' }, runner: { type: 'boolean' }, 'no-open': { type: 'boolean' } };
  try {
    // Another program reads the rest itself.
    const { tokens, values } = util.parseArgs({
      args: words,
      options: name === 'start' ? { ...own, ...ofStart } : own,
      strict: name === 'start',
      allowPositionals: name !== 'start',
      tokens: true,
    });
    const data = tokens.find((token) => token.kind === 'option' && token.name === 'data');
    if (data && !data.value) throw new Error('--data needs a folder.');
    const rest = data ? [...words.slice(0, data.index), ...words.slice(data.index + (data.inlineValue ? 1 : 2))] : words;
    const { DATA_DIR, HOST, PORT } = process.env;
    // An option that is typed, or that would be: where no variable of the environment stands, a refusal names the option.
    const typed = [
      (data || !DATA_DIR) && 'DATA_DIR=--data',
      name === 'start' && (values.port !== undefined || !PORT) && 'PORT=--port',
      name === 'start' && (values.host !== undefined || !HOST) && 'HOST=--host',
    ];
    return {
      words: name === 'start' ? [...(values.runner ? ['--runner'] : []), ...(values['no-open'] ? ['--no-open'] : [])] : rest,
      settings: {
        ARTEL_TYPED: typed.filter(Boolean).join(' '),
        DATA_DIR: data ? resolve(data.value) : DATA_DIR || join(homedir(), '.artel'),
        ...(values.port !== undefined && name === 'start' && { PORT: values.port }),
        ...(values.host !== undefined && name === 'start' && { HOST: values.host }),
      },
    };
  } catch (error) {
    return refuse(`${error.message}\n\n${usage}`);
  }
}

/** Where the system can, this process becomes the program, so that a signal reaches it. Else the program is its child. */
function become(name, { words, settings }) {
  const env = { ...process.env, ...settings };
  const memory = name === 'start' ? ['--max-semi-space-size=16', '--heap-growing-percent=60'] : [];
  const args = [...memory, programs[name], ...words];
  if (process.execve && process.platform !== 'win32') process.execve(process.execPath, [process.execPath, ...args], env);
  runAsChild(process.execPath, args, env);
}

function runAsChild(program, args, env) {
  // Under npm's name the server watches its parent: it ends when this process is killed.
  const child = spawn(program, args, { env: { npm_lifecycle_event: 'artel', ...env }, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}

/** The Node that runs this, or the one that was installed beside the package for older ones. */
function newNode() {
  if (Number.parseInt(process.versions.node, 10) >= neededNode) return process.execPath;
  try {
    const installed = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const program = join(installed, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(program)) return program;
  } catch {
    // Packages were installed without it.
  }
  return refuse(`Artel needs Node ${neededNode} or newer, and this is ${process.versions.node}: install one from https://nodejs.org`);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function refuse(why) {
  console.error(why);
  process.exit(1);
}
