import { type ToolPolicy, toolPolicies } from '../../../contract/tool-server.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { McpFailed } from '../../platform/mcp/mcp-failed.ts';
import {
  failed,
  fill,
  type RunTool,
  refusedHere,
  type ToolContext,
  type ToolProvider,
  type ToolResult,
  type ToolStep,
  toolWords,
} from '../tools/index.ts';
import type { ConnectServer } from './connect-servers.ts';
import { effectOf, offered, policiesOf } from './definitions.ts';
import { readResult } from './read-result.ts';
import { type ServerToolRow, ToolServerRepository, type ToolServerRow } from './repository.ts';
import { storeToolList } from './store-tool-list.ts';
import { definitionIn } from './to-api.ts';
import { createToolSessions } from './tool-sessions.ts';

type ServerToolsDeps = {
  db: Db;
  connect: ConnectServer;
  /** Names of servers that the operator offers. */
  operatorServers: ReadonlyMap<string, unknown>;
  newId: () => string;
  now: () => Date;
};

type Ticked = { tool: ServerToolRow; server: ToolServerRow };

/** Failures after which a call that was sent is known not to have been carried out. */
const harmless = new Set([
  'host',
  'not_found',
  'redirect',
  'unauthorized',
  'key_unreadable',
  'token',
  'untrusted',
  'no_tools',
  'busy',
  'sign_in',
  'client_refused',
  'session_ended',
]);

/**
 * The tools of tool servers that an agent was given. Models are told the pinned definitions, from the database; a server is called with the
 * first call of a step. Its answers are data.
 */
export function createServerTools({ db, connect, operatorServers, newId, now }: ServerToolsDeps): ToolProvider {
  const repository = new ToolServerRepository(db);
  const sessions = createToolSessions({
    connect,
    onListed: async (server, list) => {
      await storeToolList({ db, newId, now }, server, list, { addsTools: false });
    },
  });
  const isOffered = ({ server }: Ticked) => server.kind === 'http' || operatorServers.has(server.name);
  const isOff = ({ isMissing, current, policy }: ServerToolRow) => isMissing || current !== null || policy === 'never';

  const call = async (
    given: ServerToolRow,
    { agentId, teamVersionId }: Pick<ToolStep, 'agentId' | 'teamVersionId'>,
    args: object,
    { signal, language, isApproved }: ToolContext,
  ): Promise<ToolResult> => {
    const say = toolWords[language];
    /** A person may have switched the tool off, or removed its server, since the step began. */
    const allowed = async (): Promise<Ticked | { refusal: ToolResult }> => {
      const fresh = (await repository.ticked(given.projectId, agentId, teamVersionId)).find(({ tool }) => tool.id === given.id);
      const refused = (text: string) => ({ refusal: refusedHere(text) });
      if (!fresh || fresh.tool.policy === 'never') return refused(say.serverToolOff);
      const { isMissing, pinnedHash, current, policy } = fresh.tool;
      if (isMissing) return refused(say.serverToolMissing);
      if (pinnedHash !== given.pinnedHash || current !== null) return refused(say.serverToolChanged);
      // No question was planned for it: a tool that was off comes back with the next step, and one that asks by now needs an approval.
      return isOff(given) || (!isApproved && isStricter(policy, given.policy)) ? refused(say.serverToolOff) : fresh;
    };
    const before = await allowed();
    if ('refusal' in before) return before.refusal;
    const { tool, server } = before;
    const broken = ({ reason, said }: McpFailed) =>
      failed(fill(say.serverFailed, { reason: `${translate(language, `tools.problem_${reason}`)}${said ? ` (${said})` : ''}` }));
    /** A session that the server has ended is opened once more: the call was not carried out. */
    const ask = async (isRepeated: boolean): Promise<ToolResult> => {
      let isSent = false;
      try {
        const { session, hashes } = await sessions.of(server, signal);
        const listed = hashes.get(tool.name);
        if (listed === undefined) return failed(say.serverToolMissing);
        if (listed !== tool.pinnedHash) return failed(say.serverToolChanged);
        // A session takes up to a minute to open.
        const now = await allowed();
        if ('refusal' in now) return now.refusal;
        isSent = true;
        const answer = await session.callTool(tool.name, args, signal);
        const { text, images } = readResult(answer, say);
        if (answer.isError) return failed(text);
        return images.length > 0 ? { ok: true, text, images } : { ok: true, text };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof McpFailed)) throw error;
        sessions.drop(server, signal);
        if (error.reason === 'session_ended' && !isRepeated) return ask(true);
        return { ...broken(error), ...(isSent && !harmless.has(error.reason) && { isUnknown: true }) } as ToolResult;
      }
    };
    return ask(false);
  };

  return {
    async toolsFor({ projectId, agentId, teamVersionId, language, hasServerTools }) {
      if (!hasServerTools) return [];
      return (await repository.ticked(projectId, agentId, teamVersionId)).filter(isOffered).map(({ tool, server }): RunTool => {
        const definition = definitionIn(tool.pinned);
        const introduction = fill(toolWords[language].serverTool, { server: server.name });
        const carryOut: RunTool['carryOut'] = (args, context) => call(tool, { agentId, teamVersionId }, args as object, context);
        const key = `${tool.id}:${tool.pinnedHash}`;
        const about = { name: tool.callName, key, ...offered(definition, introduction), source: 'server', carryOut } as const;
        // Its calls fail without a question and without a server.
        if (isOff(tool)) return { ...about, policy: 'auto', effect: 'read', isOff: true };
        // A row of before may allow calls of a tool that writes.
        const policy = policiesOf(definition).includes(tool.policy) ? tool.policy : 'ask';
        return { ...about, policy, effect: effectOf(definition) };
      });
    },
  };
}

/** Whether a policy asks where the other one does not. */
function isStricter(policy: ToolPolicy, than: ToolPolicy): boolean {
  return toolPolicies.indexOf(policy) > toolPolicies.indexOf(than);
}
