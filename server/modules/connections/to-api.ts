import { type ConnectionTest, type ModelConnection, modelConnection } from '../../../contract/model-connection.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { shownAddress } from '../../platform/egress/address-secrets.ts';
import type { OperatorConnection } from './operator-connections.ts';
import type { ConnectionRow } from './repository.ts';
import type { StoredProblem, StoredTest } from './tables.ts';

const showConnection = viewOf(modelConnection);

export function toConnection(row: ConnectionRow, agents: number, language: Language): ModelConnection {
  return showConnection(row, {
    owner: row.projectId === null ? 'user' : 'project',
    address: row.address && shownAddress(row.address),
    hasKey: row.keySealed !== null,
    modelsProblem: toProblem(problemIn(row.modelsProblem), language),
    tested: row.tested && toTest(row.tested, language),
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
  const modelsProblem = toProblem(problem, language);
  return showConnection({ ...connection, ...none, ...times }, { owner: 'operator', hasKey: true, modelCount, agents, modelsProblem });
}

/** What the server has said stands behind the sentence of the reason. */
export function toProblem(problem: StoredProblem | null, language: Language): ModelConnection['modelsProblem'] {
  if (problem === null) return null;
  const sentence = translate(language, `problem.${problem.reason}`);
  return { reason: problem.reason, message: problem.detail === '' ? sentence : `${sentence} ${problem.detail}` };
}

export function toTest(tested: StoredTest, language: Language): ConnectionTest {
  return { ...tested, problem: toProblem(tested.problem, language) };
}

export function problemIn(stored: string | null): StoredProblem | null {
  if (stored === null) return null;
  const [reason = '', ...detail] = stored.split(' ');
  return { reason: reason as StoredProblem['reason'], detail: detail.join(' ') };
}

export function storedProblem(problem: StoredProblem | null): string | null {
  return problem && `${problem.reason} ${problem.detail}`.trim();
}
