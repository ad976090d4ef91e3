import type { Command, CommandResult } from '../../model/commands.ts';
import type { NodeTexts } from '../../model/document/place-item.ts';
import type { UndoStack } from '../../model/document/undo-stack.ts';
import type { DocumentChange } from '../../model/document/working-document.ts';
import { failed, type Outcome, type Problem } from '../../model/problem.ts';
import { configureAgent, countAgent, loadAgents } from './agents.ts';
import type { Backend } from './backends/port.ts';
import { dispatchDocumentCommand } from './document-commands.ts';
import type { Environment, UndoEdit } from './environment.ts';
import { clearHistory, loadHistory, reloadHistory, removeFromHistory } from './history.ts';
import { duplicateAgent, makeAgent } from './make-agent.ts';
import { dispatchProjectCommand } from './projects.ts';
import type { RealtimeChannel } from './realtime/realtime-channel.ts';
import { type Join, restoreAgents, syncAgents } from './restore-agents.ts';
import { dispatchRunCommand } from './run/run-commands.ts';
import type { RunFollower } from './run/run-follower.ts';
import type { RunQueue } from './run/run-queue.ts';
import type { Autosave } from './save/autosave.ts';
import type { Console } from './store/console.ts';
import type { Notices } from './store/notices.ts';
import type { Store } from './store/store.ts';
import type { ConsoleTalk } from './talk/console-talk.ts';

/** What commands are carried out with. */
export type Parts = {
  store: Store;
  environment: Environment;
  undo: UndoStack;
  console: Console;
  notices: Notices;
  realtime: RealtimeChannel | null;
  /** Null until the workspace has begun to open; what concerns all projects needs no more. */
  backend: Backend | null;
  letGo: () => Promise<void>;
  /** Null until the project was found. */
  server: { backend: Backend; follower: RunFollower; queue: RunQueue; autosave: Autosave | null; talk: ConsoleTalk } | null;
  texts: () => NodeTexts;
  onEdited: (change: DocumentChange | null, undo: UndoEdit) => void;
  reload: () => Promise<Outcome>;
  /** Asks for the document to be checked anew. */
  check: () => void;
  /** Somebody leaves the workspace. */
  leaving: AbortSignal;
};

/** Sends a command to the part that knows it. */
export async function dispatchCommand(parts: Parts, command: Command): Promise<Outcome<CommandResult>> {
  const { store, environment, undo, console, notices, realtime, server, texts, onEdited, reload, check, letGo } = parts;
  switch (command.type) {
    case 'node.add':
    case 'node.place':
    case 'nodes.paste':
    case 'nodes.duplicate':
    case 'nodes.layout':
    case 'nodes.group':
    case 'canvas.replace':
    case 'node.move':
    case 'node.update':
    case 'nodes.join':
    case 'selection.remove':
    case 'link.add':
    case 'history.undo':
    case 'history.redo':
      return dispatchDocumentCommand({ store, undo, console, texts, newId: environment.newId, onEdited }, command);
    case 'notice.dismiss':
      notices.dismiss(command.id);
      return done;
    case 'console.toggled':
      console.says({ code: command.open ? 'console.opened' : 'console.closed' });
      return done;
    case 'workspace.reload':
      return reload();
    case 'realtime.connect':
      realtime?.connect();
      return done;
    case 'realtime.disconnect':
      realtime?.disconnect();
      return done;
    case 'projects.load':
    case 'project.create':
    case 'project.keepCanvas':
    case 'project.update':
    case 'project.remove':
    case 'project.count':
      if (!parts.backend) return failed('workspace.opening');
      return dispatchProjectCommand({ store, backend: parts.backend, environment, letGo }, command);
  }
  if (!server || !takesCommand(store, command)) return failed('workspace.opening');
  const { backend, follower, queue, autosave, talk } = server;
  switch (command.type) {
    case 'console.send':
      return talk.send(command.text, command.agentId);
    case 'console.cancel':
      return talk.cancel();
    case 'console.announce':
      console.says({ code: `console.announce.${command.name}` });
      return done;
    case 'agents.reload': {
      const problem = await loadAgents(store, backend);
      if (!problem) check();
      return asOutcome(problem);
    }
    case 'agents.sync':
    case 'agents.restore': {
      const join = (joins: Join[]) =>
        dispatchDocumentCommand({ store, undo, console, texts, newId: environment.newId, onEdited }, { type: 'nodes.join', joins });
      const done = await (command.type === 'agents.sync' ? syncAgents : restoreAgents)({ store, backend, environment, join });
      check();
      if (!done.ok) return done;
      notices.show(done.told, done.told.code === 'agent.someMissing' ? 'warning' : 'info');
      return { ok: true, value: undefined };
    }
    case 'agent.count':
      return countAgent(store, backend, command.agentId);
    case 'agent.create':
    case 'agent.duplicate': {
      const parts = { store, backend, environment, notices };
      const made = await (command.type === 'agent.create' ? makeAgent(parts, command) : duplicateAgent(parts, command.agentId));
      check();
      return made;
    }
    case 'agent.configure':
      return configureAgent(store, backend, command.agentId, command.configuration);
    case 'history.reload':
      if (store.state.project) return asOutcome(await reloadHistory(store, backend));
      notices.show({ code: 'history.noProject' }, 'warning');
      return done;
    case 'history.remove':
      return removeFromHistory(store, backend, command.id);
    case 'history.clear':
      return clearHistory(store, backend);
    case 'conflict.resolve': {
      const problem = (await autosave?.resolve(command.keep)) ?? null;
      if (!problem) check();
      return asOutcome(problem);
    }
    default:
      return dispatchRunCommand(
        {
          store,
          backend,
          console,
          notices,
          follower,
          queue,
          environment,
          loadAgents: () => loadAgents(store, backend),
          historyChanged: () => void loadHistory(store, backend),
          leaving: parts.leaving,
        },
        command,
      );
  }
}

/** While an open project is read anew its run is still controlled. */
function takesCommand({ state }: Store, { type }: Command): boolean {
  return state.status === 'ready' || (state.status === 'reloading' && controls.has(type));
}

const controls: ReadonlySet<Command['type']> = new Set(['run.pause', 'run.resume', 'run.nextStep', 'run.stop']);

const done: Outcome = { ok: true, value: undefined };

function asOutcome(problem: Problem | null): Outcome {
  return problem ? { ok: false, error: problem } : done;
}
