import { type DataTest, testResultKinds } from '../../contract/executions/run-graph.ts';
import type { TestVerdict } from '../../contract/executions/test-run.ts';
import { type CompiledGraph, isBackLink, type RunLink } from './run-graph.ts';

/** The data of an ended step that a data test reads. */
type Tested = {
  result: string;
  hasFile: (path: string) => boolean;
  /** How the executed tests ended; null where none were. */
  tests: TestVerdict;
};

/** Returns all links out of a step, including back links. */
export function linksOutOf({ outgoing, backLinks }: CompiledGraph, nodeId: string): RunLink[] {
  return [...(outgoing.get(nodeId) ?? []), ...(backLinks.get(nodeId) ?? [])];
}

/** Returns the labels that the agent or the person of a step must choose from; empty without a choice. A person's own buttons come first. */
export function labelsOf(compiled: CompiledGraph, nodeId: string): string[] {
  const usual = linksOutOf(compiled, nodeId).filter(({ onFailure }) => !onFailure);
  if (usual.some((link) => link.test && !mayFollowLabel(link))) return [];
  const own = compiled.nodes.get(nodeId)?.person?.buttons ?? [];
  return [...new Set([...own, ...usual.flatMap(({ label }) => label ?? [])])];
}

/** Whether a step has a link for what fits no case. */
export function hasOtherwise(compiled: CompiledGraph, nodeId: string): boolean {
  return linksOutOf(compiled, nodeId).some((link) => isUnconditional(link));
}

/** Returns true for a link that is neither a case nor for failures. Beside cases it means "otherwise". */
export function isUnconditional({ label, test, onFailure }: Pick<RunLink, 'label' | 'test' | 'onFailure'>): boolean {
  return label === undefined && !test && !onFailure;
}

/** The choice that takes a link: its label, or its id where a test alone decides. */
export function caseOf(link: RunLink): string | undefined {
  return link.test && !mayFollowLabel(link) ? link.id : link.label;
}

/** The buttons of a person's step: labels, and null for "otherwise" beside them. A button that no link has is the "otherwise". */
export function buttonsOf(compiled: CompiledGraph, nodeId: string): (string | null)[] {
  const labels = labelsOf(compiled, nodeId);
  const cases = new Set(linksOutOf(compiled, nodeId).flatMap(({ label }) => label ?? []));
  return hasOtherwise(compiled, nodeId) && labels.length > 0 && labels.every((label) => cases.has(label)) ? [...labels, null] : labels;
}

/** The buttons of a question whose links lead back along a review loop: they send the work back. `links`: those of its run. */
export function backButtonsOf(asked: { buttons: readonly (string | null)[]; linkIds: readonly string[] }, links: readonly RunLink[]) {
  const back = links.filter((link) => isBackLink(link) && asked.linkIds.includes(link.id));
  return asked.buttons.filter((button) => back.some(({ label = null }) => label === button));
}

/** Whether a link tests executed tests, and has a label for steps after which none were executed. */
export function mayFollowLabel({ label, test }: Pick<RunLink, 'label' | 'test'>): boolean {
  return label !== undefined && isTestResult(test);
}

/** Whether a test is one of the result of executed tests. */
export function isTestResult(test: DataTest | undefined): boolean {
  return testResultKinds.some((kind) => kind === test?.is);
}

/**
 * Returns the case that data tests choose: the id of the first link whose test holds, or its label if it may follow one; null for "otherwise". Undefined if
 * the step has no tests, or only such as leave the choice to the labels.
 */
export function caseByTests(compiled: CompiledGraph, nodeId: string, tested: Tested): string | null | undefined {
  const tests = linksOutOf(compiled, nodeId).filter(({ test }) => test);
  if (tests.length === 0) return undefined;
  const chosen = tests.find(({ test }) => test && holds(test, tested));
  if (chosen) return mayFollowLabel(chosen) ? (chosen.label ?? null) : chosen.id;
  return tested.tests === null && tests.every(mayFollowLabel) ? undefined : null;
}

/** Whether a link out of a step tests what a runner has executed after it; `needed`: such a link has no label to fall back to. */
export function testsTests(compiled: CompiledGraph, nodeId: string): { any: boolean; needed: boolean } {
  const links = linksOutOf(compiled, nodeId).filter(({ test }) => isTestResult(test));
  return { any: links.length > 0, needed: links.some((link) => !mayFollowLabel(link)) };
}

/** Whether a link out of a step tests which files the run has. */
export function testsFiles(compiled: CompiledGraph, nodeId: string): boolean {
  return linksOutOf(compiled, nodeId).some(({ test }) => test?.is === 'fileExists');
}

/** Whether a test holds for a step's answer. A field that is missing fits no test. */
export function holds(test: DataTest, { result, hasFile, tests }: Tested): boolean {
  if (test.is === 'fileExists') return hasFile(test.value);
  if (test.is === 'testsPass') return tests === 'pass';
  if (test.is === 'testsFail') return tests === 'fail';
  const value = test.field ? fieldOf(result, test.field) : result.trim();
  if (value === null) return false;
  switch (test.is) {
    case 'contains':
      return value.toLowerCase().includes(test.value.toLowerCase());
    case 'equals':
      return value.trim().toLowerCase() === test.value.trim().toLowerCase();
    case 'less':
      return isNumber(value) && isNumber(test.value) && Number(value) < Number(test.value);
    case 'greater':
      return isNumber(value) && isNumber(test.value) && Number(value) > Number(test.value);
  }
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

/** Returns a field of the first JSON object in an answer as text; null if there is none. */
function fieldOf(result: string, path: string): string | null {
  let value: unknown = jsonIn(result);
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Record<string, unknown>)[key];
  }
  return value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The first JSON value in an answer: the answer itself, or its first block of code that is JSON; undefined for none. */
export function jsonIn(result: string): unknown {
  for (const text of [result, ...codeBlocks(result)]) {
    const trimmed = text.trim();
    if (!trimmed.startsWith('{') && !trimmed.startsWith('[')) continue;
    try {
      return JSON.parse(trimmed);
    } catch {
      // Not JSON: the next block may be.
    }
  }
  return undefined;
}

/** The texts between lines that begin with three backticks. */
function codeBlocks(markdown: string): string[] {
  return markdown.split(/^```[^\n]*$/m).filter((_, at) => at % 2 === 1);
}

/**
 * Returns the label in the last line of an agent's answer that is not blank: the label alone, or after a word and a colon. Null
 * if the line names none, or more than one.
 */
export function chosenLabel(answer: string, labels: readonly string[]): string | null {
  const lines = answer.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line));
  const last = plain(lines.at(-1) ?? '');
  const named = last.includes(':') ? plain(last.slice(last.lastIndexOf(':') + 1)) : last;
  const fitting = labels.filter((label) => plain(label) === named || plain(label) === last);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Removes marks of emphasis and closing punctuation from a line, and converts it to lower case. */
function plain(text: string): string {
  return text
    .replace(/[*_`"'«»“”„]/g, '')
    .trim()
    .replace(/[.!;,]$/, '')
    .trim()
    .toLowerCase();
}
