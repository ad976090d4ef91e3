import type { TestRun } from '../../../contract/executions/test-run.ts';
import { roleKey } from '../agents/roles.ts';

/** A tester's result for one check; a check without a result was not executed. */
export type TestVerdict = 'passed' | 'failed' | 'notExecuted';

export type TestCheck = { number: string; text: string; expected: string; weight: string; verdict: TestVerdict };

/** The parts of a tester's text in the form of a report; other text stays in the answer. */
export type TestReport = { checks: TestCheck[]; findings: string[] };

/** Whether executed tests have failed, so that nothing below them that an agent calls passed is shown as a success. */
export function haveTestsFailed({ state, exitCode, counts }: Pick<TestRun, 'state' | 'exitCode' | 'counts'>): boolean {
  return state === 'ended' && (exitCode !== 0 || (counts?.failed ?? 0) > 0);
}

/** Whether an agent with this role writes test reports. R42 */
export function isTester(role: string): boolean {
  return ['qa', 'tester'].includes(roleKey(role));
}

/** Whether an agent with this role writes code, and tests if no other agent does. */
export function isBuilder(role: string): boolean {
  return ['developer', 'frontend', 'backend', 'devops'].includes(roleKey(role));
}

/**
 * Reads checks and findings from a tester's Markdown. Checks are rows of tables that have a column for the state or the expected
 * result. List items that begin with a box or a mark are checks too. Findings are list items below a heading about remarks or faults.
 * An item continues over the following lines, as Markdown wraps it. Code is skipped.
 */
export function testReport(markdown: string): TestReport {
  const report: TestReport = { checks: [], findings: [] };
  let fenced = false;
  let finding = false;
  let table: Table | null = null;
  let before: string[] | null = null;
  let item: string[] = [];
  const endItem = () => {
    if (item.length === 0) return;
    const text = item.join(' ');
    item = [];
    const check = checkOfItem(text, report.checks.length);
    if (check) report.checks.push(check);
    else if (finding) report.findings.push(plain(text));
  };
  for (const line of markdown.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    if (fence || fenced) {
      endItem();
      continue;
    }
    const cells = cellsOf(line);
    if (item.length > 0 && !cells && !beginsBlock.test(line)) {
      item.push(line.trim());
      continue;
    }
    endItem();
    if (!cells) {
      table = null;
      before = null;
    } else if (before && cells.every((cell) => /^:?-+:?$/.test(cell))) table = tableOf(before);
    else if (table) report.checks.push(checkOfRow(table, cells, report.checks.length));
    else before = cells;
    if (cells) continue;
    const heading = /^\s{0,3}#{1,6}\s+(.*)/s.exec(line)?.[1];
    if (heading !== undefined) finding = aboutFindings.test(heading);
    const begun = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)/s.exec(line)?.[1];
    if (begun !== undefined) item = [begun];
  }
  endItem();
  return report;
}

/** Matches a line that ends the list item before it: an empty line, a heading, another item, a quotation, a rule. */
const beginsBlock = /^\s*(?:$|#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|>|-{3}|\*{3}|_{3}|={3})/;

export function countVerdicts(checks: readonly TestCheck[]): Record<TestVerdict, number> {
  const counts = { passed: 0, failed: 0, notExecuted: 0 };
  for (const { verdict } of checks) counts[verdict] += 1;
  return counts;
}

/** The columns of a table of checks, and what the words of its states mean: there are few different ones in thousands of rows. */
type Table = { number: number; text: number; expected: number; weight: number; state: number; verdicts: Map<string, TestVerdict> };

const aboutFindings = /remark|fault|defect|bug|finding|issue|attention|замечан|дефект|ошибк|проблем|вниман|найден/i;

/** Returns the columns of a table of checks; null for another table. */
function tableOf(headers: readonly string[]): Table | null {
  const at = (pattern: RegExp) => headers.findIndex((header) => pattern.test(header));
  const state = at(/^(?:state|status|result|outcome|verdict|состояние|статус|результат|итог|вердикт)/i);
  const expected = at(/expect|ожида/i);
  if (state < 0 && expected < 0) return null;
  const number = at(/^(?:no\.?|#|№|id|n)$/i);
  const named = at(/step|check|case|condition|test|шаг|провер|сценар|услов/i);
  const text = named >= 0 ? named : number === 0 ? 1 : 0;
  return { number, text, expected, weight: at(/weight|priority|severity|важн|приор/i), state, verdicts: new Map() };
}

function checkOfRow({ number, text, expected, weight, state, verdicts }: Table, cells: readonly string[], known: number): TestCheck {
  const cell = (at: number) => plain(cells[at] ?? '');
  const said = cells[state] ?? '';
  const verdict = verdicts.get(said) ?? verdictOf(said);
  verdicts.set(said, verdict);
  return {
    number: cell(number) || String(known + 1),
    text: cell(text),
    expected: cell(expected),
    weight: cell(weight),
    verdict,
  };
}

function checkOfItem(item: string, known: number): TestCheck | null {
  const [, mark = '', text = ''] = /^(\[[ xX]\]|[✅✓✔❌✗✘✖]\ufe0f?|(?:PASS|FAIL)(?:ED)?\b:?)(.+)/su.exec(item) ?? [];
  if (!mark) return null;
  const verdict = /^\[x\]$/i.test(mark) ? 'passed' : mark === '[ ]' ? 'notExecuted' : verdictOf(mark);
  return { number: String(known + 1), text: plain(text), expected: '', weight: '', verdict };
}

function verdictOf(said: string): TestVerdict {
  // "0 failed" and "no errors" report no failure.
  const told = said.replaceAll(/(?<![\p{L}\d])(?:0|no|without|без|нет)\s+(?:fail\p{L}*|error\p{L}*|ошиб\p{L}*|провал\p{L}*)/giu, '');
  if (/unsuccess|\bnot\s+(?:pass|success|ok)|не\s*успе|безуспе|не\s+прош|не\s+пройд/iu.test(told)) return 'failed';
  if (/\bnot\b|skip|pending|не\s+(?:выполн|запуск|провер)/iu.test(told)) return 'notExecuted';
  if (/fail|broken|error|провал|ошибк|[❌✗✘✖]/iu.test(told)) return 'failed';
  if (/pass|\bok\b|success|пройден|прош[её]?л|успе|[✅✓✔]/iu.test(told)) return 'passed';
  return told === said ? 'notExecuted' : 'passed';
}

/** Returns the cells of a table's line; null for any other line. */
function cellsOf(line: string): string[] | null {
  const text = line.trim();
  if (!text.startsWith('|')) return null;
  const isEscaped = text.includes('\\|');
  const cells = isEscaped
    ? text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
    : text.split('|').map((cell) => cell.trim());
  return cells.slice(1, cells.at(-1) === '' ? -1 : undefined);
}

function plain(text: string): string {
  return text.replaceAll(/[*`]+/g, '').trim();
}
