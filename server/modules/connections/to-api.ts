import { type ConnectionTest, type ModelConnection, modelConnection } from '../../../contract/model-connection.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { shownAddress } from '../../platform/egress/address-secrets.ts';
import { providerAddresses } from '../../platform/llm/provider-addresses.ts';
import type { OperatorConnection } from './operator-connections.ts';
import type { ConnectionRow } from './repository.ts';
import type { StoredProblem, StoredTest } from './tables.ts';

const showConnection = viewOf(modelConnection);

export function toConnection(row: ConnectionRow, agents: number, language: Language): ModelConnection {
  return showConnection(row, {
    owner: row.projectId === null ? 'user' : 'project',
    address: row.address && shownAddress(row.address),
    hasKey: row.keySealed !== null,
    modelsProblem: toProblem(problemIn(row.modelsProblem), language, row),
    tested: row.tested && toTest(row.tested, language, row),
    agents,
  });
}

type OperatorFacts = { modelCount: number | null; modelsAt: Date | null; problem: StoredProblem | null; since: Date };

/** The operator's connection tells neither its address nor its key. */
export function toOperatorConnection(
  connection: OperatorConnection,
  { modelCount, modelsAt, problem, since }: OperatorFacts,
  agents: number,
  language: Language,
): ModelConnection {
  const none = { projectId: null, address: null, folderId: null, keyLast4: null, headerNames: [], extraBody: null, tested: null };
  const times = { modelsAt, createdAt: since, updatedAt: since };
  const modelsProblem = toProblem(problem, language, null);
  return showConnection({ ...connection, ...none, ...times }, { owner: 'operator', hasKey: true, modelCount, agents, modelsProblem });
}

/** The server that was called; null for the operator's, whose address accounts do not learn. */
type CalledServer = Pick<ConnectionRow, 'provider' | 'address'> | null;

/** What the server has said stands behind the sentence of the reason. One that cannot be reached is named. */
export function toProblem(problem: StoredProblem | null, language: Language, called: CalledServer): ModelConnection['modelsProblem'] {
  if (problem === null) return null;
  const sentence = sentenceOf(problem.reason, language, called);
  return { reason: problem.reason, message: problem.detail === '' ? sentence : `${sentence} ${problem.detail}` };
}

function sentenceOf(reason: StoredProblem['reason'], language: Language, called: CalledServer): string {
  const address = called && (called.address ?? providerAddresses[called.provider]);
  // Its tokens come from another host, and both have certificates of one root.
  if (reason === 'untrusted' && called?.provider === 'gigachat') return translate(language, 'problem.untrusted_gigachat');
  if ((reason !== 'unreachable' && reason !== 'untrusted') || !address) return translate(language, `problem.${reason}`);
  return translate(language, `problem.${reason}_host`, { host: new URL(address).host });
}

export function toTest(tested: StoredTest, language: Language, called: CalledServer): ConnectionTest {
  return { ...tested, problem: toProblem(tested.problem, language, called) };
}

export function problemIn(stored: string | null): StoredProblem | null {
  if (stored === null) return null;
  const [reason = '', ...detail] = stored.split(' ');
  return { reason: reason as StoredProblem['reason'], detail: detail.join(' ') };
}

export function storedProblem(problem: StoredProblem | null): string | null {
  return problem && `${problem.reason} ${problem.detail}`.trim();
}
