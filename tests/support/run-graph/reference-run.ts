import type { RunLink } from '../../../rules/run-graph/run-graph.ts';
import type { Block, MadeGraph, Outcome } from './random-run.ts';

type Run = {
  nodeId: string;
  rounds: number[];
  item: number;
  status: 'completed' | 'failed' | 'skipped';
  outcome: Outcome | null;
  sources: Run[];
};

/**
 * What a run must come to: each run of a step with its status and the runs whose results it was given. Also the reasons why it may end
 * early.
 */
export type Expected = { runs: Map<string, { status: string; inputs: string[][] | null; item: string | null }>; failures: Set<string> };

export function keyOf(nodeId: string, round: number, item: number): string {
  return `${nodeId} round ${round} item ${item}`;
}

/**
 * Carries out a run one step after another, block by block, as the page says what links mean. It knows no states of links and shares no
 * code with the rules. A failure that ends a run is noted, and the run goes on as if the failed branch were dead.
 */
export function referenceRun(made: MadeGraph, outcomeOf: (nodeId: string, round: number, item: number) => Outcome, task = ''): Expected {
  const { graph } = made;
  const all: Run[] = [];
  const newest = new Map<string, Run[]>();
  const failures = new Set<string>();
  const loopsOf = new Map<string, Block[]>();
  const listOf = new Map<string, Block | undefined>();
  const itemTexts = new Map<Run, string>();
  place(made.blocks, [], undefined);

  const isBack = (link: RunLink) => link.maxRounds !== undefined;
  const isPlain = ({ label, test, onFailure }: RunLink) => label === undefined && !test && !onFailure;
  const out = (nodeId: string) => graph.links.filter(({ from }) => from === nodeId);
  const into = (nodeId: string) => graph.links.filter((link) => link.to === nodeId && !isBack(link));
  const stepsIn = (block: Block): string[] => (block.kind === 'step' ? [block.id] : block.blocks.flatMap(stepsIn));
  const numberOf = (rounds: number[]) => rounds.reduce((sum, digit) => sum * 32 + digit, 0);
  const name = (run: Run) => keyOf(run.nodeId, numberOf(run.rounds), run.item);
  const hasResult = ({ status }: Run) => status === 'completed';

  execute(made.blocks, [], 0, null);
  return {
    runs: new Map(all.map((run) => [name(run), { status: run.status, inputs: inputsOf(run), item: itemTexts.get(run) ?? null }])),
    failures,
  };

  function place(blocks: Block[], loops: Block[], list: Block | undefined): void {
    for (const block of blocks) {
      if (block.kind === 'step') {
        loopsOf.set(block.id, loops);
        listOf.set(block.id, list);
      } else if (block.kind === 'loop') place(block.blocks, [...loops, block], list);
      else place(block.blocks, loops, block);
    }
  }

  function execute(blocks: Block[], rounds: number[], item: number, text: string | null, repeats = false): void {
    blocks.forEach((block, at) => {
      if (block.kind === 'step') runStep(block.id, rounds, item, text, repeats && at === 0);
      else if (block.kind === 'loop') runLoop(block, rounds, item, text);
      else runList(block, rounds);
    });
  }

  function runStep(nodeId: string, rounds: number[], item: number, text: string | null, begins: boolean): void {
    const sources = into(nodeId).flatMap((link) => takingRuns(link, item));
    const runs = begins || into(nodeId).length === 0 || sources.length > 0;
    const outcome = runs ? outcomeOf(nodeId, numberOf(rounds), item) : null;
    const run: Run = { nodeId, rounds, item, status: outcome?.status ?? 'skipped', outcome, sources };
    all.push(run);
    newest.set(nodeId, [...(newest.get(nodeId) ?? []).filter((one) => one.item !== item), run]);
    if (text !== null) itemTexts.set(run, text);
    if (run.status !== 'failed' || out(nodeId).some(({ onFailure }) => onFailure)) return;
    const list = listOf.get(nodeId);
    const group = graph.groups.find(({ id }) => id === list?.id);
    const goesOn = graph.nodes.find(({ id }) => id === nodeId)?.onFailure === 'goOn';
    if (!goesOn && (!group || group.onFailure === 'stop')) failures.add('step');
  }

  function runLoop(loop: Block, rounds: number[], item: number, text: string | null): void {
    for (let round = 0; ; round += 1) {
      execute(loop.blocks, [...rounds, round], item, text, round > 0);
      const back = graph.links.filter((link) => isBack(link) && link.to === loop.id);
      const taken = back.filter((link) => takingRuns(link, item).length > 0);
      if (taken.some(({ maxRounds = 0 }) => round + 1 < maxRounds)) continue;
      if (taken.some(({ atLimit }) => atLimit === 'fail')) failures.add('loop_limit');
      return;
    }
  }

  function runList(list: Block, rounds: number[]): void {
    const inside = new Set(stepsIn(list));
    for (const id of inside) newest.delete(id);
    const entries = graph.nodes.flatMap(({ id }) => (inside.has(id) ? into(id).filter(({ from }) => !inside.has(from)) : []));
    const taken = entries.map((link) => takingRuns(link, 0)).filter((runs) => runs.length > 0);
    const [source] = taken.map((runs) => runs.filter(hasResult)).filter((runs) => runs.length > 0);
    if (taken.length > 0 && !source) failures.add('list_missing');
    const written = (source ?? []).flatMap((run) => (run.item > 0 ? [run.outcome?.result ?? ''] : numbered(run.outcome?.result ?? '')));
    const items = entries.length === 0 ? numbered(task) : written;
    const skipped = items.length === 0 ? inside : [];
    for (const id of skipped) runSkipped(id, [...rounds, ...(loopsOf.get(id) ?? []).slice(rounds.length).map(() => 0)]);
    for (const [at, text] of items.entries()) execute(list.blocks, rounds, at + 1, text);
  }

  function runSkipped(nodeId: string, rounds: number[]): void {
    const run: Run = { nodeId, rounds, item: 0, status: 'skipped', outcome: null, sources: [] };
    all.push(run);
    newest.set(nodeId, [run]);
  }

  function numbered(text: string): string[] {
    return text.split('\n').flatMap((line) => /^\d+\. (.*)$/.exec(line)?.[1] ?? []);
  }

  function takingRuns(link: RunLink, item: number): Run[] {
    const sameList = listOf.get(link.from) === listOf.get(link.to);
    const runs = newest.get(link.from) ?? [];
    const seen =
      listOf.get(link.from) && !sameList ? runs : runs.filter((run) => run.item === (listOf.get(link.from) ? item : 0) || run.item === 0);
    return seen.filter((run) => takes(link, run)).toSorted((a, b) => a.item - b.item);
  }

  function takes(link: RunLink, run: Run): boolean {
    if (run.status === 'skipped') return false;
    const { nodeId } = run;
    if (run.status === 'failed') {
      if (out(nodeId).some(({ onFailure }) => onFailure)) return link.onFailure === true;
      return graph.nodes.find(({ id }) => id === nodeId)?.onFailure === 'goOn' && isPlain(link) && !isBack(link);
    }
    if (link.onFailure || isHeldBack(link, run)) return false;
    return fits(link, run) || handedOn(run) === link;
  }

  /** A person has not handed the result on along this link. */
  function isHeldBack({ id }: RunLink, { outcome }: Run): boolean {
    return outcome?.handOff?.state === 'skipped' && outcome.handOff.holds(id);
  }

  function fits(link: RunLink, { nodeId, outcome }: Run): boolean {
    const hasCases = out(nodeId).some(({ label, test }) => label !== undefined || test);
    if (isPlain(link)) return !hasCases || outcome?.choice === null;
    const isOfTests = link.test?.is === 'testsPass' || link.test?.is === 'testsFail';
    return outcome?.choice === (link.test && !(isOfTests && link.label !== undefined) ? link.id : link.label);
  }

  /** The loop that cannot begin another round though this run asks for it. */
  function usedUp(run: Run): Block | undefined {
    if (!hasResult(run)) return undefined;
    const loops = loopsOf.get(run.nodeId) ?? [];
    for (const link of out(run.nodeId).filter(isBack)) {
      const at = loops.findIndex(({ id }) => id === link.to);
      if (fits(link, run) && !isHeldBack(link, run) && (run.rounds[at] ?? 0) + 1 >= (link.maxRounds ?? 0)) return loops[at];
    }
    return undefined;
  }

  function handedOn(run: Run): RunLink | undefined {
    const loop = usedUp(run);
    const inside = new Set(loop && stepsIn(loop));
    const leaving = loop ? out(run.nodeId).filter((link) => !isBack(link) && !link.onFailure && !inside.has(link.to)) : [];
    return leaving.find(isPlain) ?? leaving[0];
  }

  function inputsOf(run: Run): string[][] | null {
    if (run.status === 'skipped') return null;
    const direct = new Set(run.sources);
    const reached = new Set(direct);
    for (const one of reached) for (const source of one.sources) reached.add(source);
    const earlier = inPlace([...reached].filter((one) => !direct.has(one)));
    const depth = run.rounds.findLastIndex((round) => round > 0);
    const loop = depth < 0 ? undefined : loopsOf.get(run.nodeId)?.[depth];
    const before = loop ? inPlace(roundBefore(run, loop, depth)) : [];
    const own = grouped([...direct]);
    return loop?.id === run.nodeId ? [...earlier, ...own, ...before] : [...earlier, ...before, ...own];
  }

  function roundBefore(run: Run, loop: Block, depth: number): Run[] {
    const inside = new Set(stepsIn(loop));
    const prefix = [...run.rounds.slice(0, depth), (run.rounds[depth] ?? 0) - 1];
    const sameItem = (one: Run) => listOf.get(one.nodeId) !== listOf.get(run.nodeId) || one.item === run.item;
    const fitting = all.filter((one) => inside.has(one.nodeId) && sameItem(one) && prefix.every((digit, at) => one.rounds[at] === digit));
    return [...new Map(fitting.map((one) => [`${one.nodeId} ${one.item}`, one])).values()];
  }

  function grouped(runs: Run[]): string[][] {
    const groups = Map.groupBy(runs.filter(hasResult), ({ nodeId }) => nodeId).values();
    return [...groups].map((group) => group.toSorted((a, b) => a.item - b.item).map(name));
  }

  function inPlace(runs: Run[]): string[][] {
    const places = new Map(graph.nodes.map(({ id }, at) => [id, at]));
    return grouped(runs.toSorted((a, b) => (places.get(a.nodeId) ?? 0) - (places.get(b.nodeId) ?? 0)));
  }
}
