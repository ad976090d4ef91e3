import type { SimulatedPart, SimulatedRequest, SimulatedTexts, TextsByLanguage } from './simulated-request.ts';
import { cutAtWord, plainText, wordsOf } from './task-words.ts';

/** The parts that roles play, by their names in lower case. */
export const partOfRole: Readonly<Record<string, SimulatedPart>> = {
  assistant: 'assistant',
  productmanager: 'product',
  productowner: 'product',
  projectmanager: 'project',
  technicalarchitect: 'lead',
  developer: 'developer',
  frontend: 'developer',
  backend: 'developer',
  devops: 'developer',
  qa: 'qa',
  businessanalyst: 'analyst',
};

const quotedTaskLength = 400;
const quotedPointLength = 160;

/**
 * A plausible answer of a role to a task, after the earlier agents: Markdown in the task's language.
 * The same request always gives the same text. Nothing about the task is looked up or computed.
 */
export function composeAnswer(whole: SimulatedRequest, languages: TextsByLanguage): string {
  const request = whole.inGraph?.item ? { ...whole, task: whole.inGraph.item.text } : whole;
  const { texts, words } = wordsOf(request, languages);
  const [a, b, c] = words.terms;
  const last = request.earlier.at(-1);
  const basis = last
    ? fill(texts.built, { agents: request.earlier.map(({ title }) => title).join(', '), point: mainPoint(last.text, languages) })
    : texts.first;
  const added = request.contexts.map((context) => fill(texts.context, { context: cutAtWord(plainText(context), quotedTaskLength) }));
  const values = {
    a,
    b,
    c,
    subject: words.subject,
    slug: words.slug,
    task: cutAtWord(plainText(request.task), quotedTaskLength),
    title: request.agentTitle,
    basis: [basis, ...added].join('\n\n'),
  };

  const random = seededRandom(`${request.role}\n${request.task}`);
  const part = partOfRole[request.role.toLowerCase()] ?? 'generic';
  const paragraphs = texts.roles[part].map((variants) => fill(variants[Math.floor(random() * variants.length)] ?? '', values));
  return [...paragraphs, ...endings(whole, texts, words.terms)].join('\n\n');
}

/** The thoughts of a simulated agent: what it reads from the task and from earlier agents, and that it is a simulation. */
export function composeThoughts(request: SimulatedRequest, languages: TextsByLanguage): string {
  const { texts, words } = wordsOf(request, languages);
  const [a, b, c] = words.terms;
  const last = request.earlier.at(-1);
  const parts = [fill(texts.thoughts.task, { a, b, c, title: plainText(request.agentTitle) })];
  if (last) parts.push(fill(texts.thoughts.earlier, { agent: plainText(last.title) }));
  if (request.contexts.length > 0) parts.push(texts.thoughts.contexts);
  return parts.join(' ');
}

/** Replaces `{name}` by `values`, once: inserted values are not filled again. */
function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/**
 * Returns the parts of an answer that the graph requires: a list, and a choice in the last line. A review rejects the first round and
 * accepts the second.
 */
function endings({ inGraph, role, task }: SimulatedRequest, texts: SimulatedTexts, terms: readonly string[]): string[] {
  if (!inGraph) return [];
  const { choices, isList, round } = inGraph;
  const items = terms.map((term, at) => `${at + 1}. ${fill(texts.listItem, { term })}`);
  const list = isList ? [`${texts.list}\n\n${items.join('\n')}`] : [];
  if (choices.length === 0) return list;
  const back = choices.find(({ leadsBack }) => leadsBack);
  const onward = choices.filter(({ leadsBack }) => !leadsBack);
  const random = seededRandom(`choice\n${role}\n${task}`);
  const free = back || onward.length === 0 ? onward[0] : onward[Math.floor(random() * onward.length)];
  const chosen = (back && round === 0 ? back : free) ?? choices[0];
  return [...list, fill(texts.choice, { label: chosen?.label ?? '' })];
}

/** The first sentence of substance in a result: neither heading, table, code nor quotation. */
function mainPoint(markdown: string, languages: TextsByLanguage): string {
  const prose = markdown.replace(/```[\s\S]*?(```|$)/g, '').split('\n');
  const lines = prose.filter((line) => !/^\s*([#>|]|$)/.test(line)).map((line) => plainText(line.replace(/^\s*([-*]|\d+\.)\s+/, '')));
  const own = lines.filter((line) => !isBasis(line, languages));
  const point = own.find((line) => line.length >= 40) ?? own[0] ?? lines[0] ?? plainText(markdown);
  return cutAtWord(point.replace(/\.$/, ''), quotedPointLength);
}

/** Whether a line is the simulation's reference to earlier agents, which is not passed on. */
function isBasis(line: string, { ru, en }: TextsByLanguage): boolean {
  return [ru, en].some(({ built, first }) => line === plainText(first) || line.startsWith(built.slice(0, built.indexOf('('))));
}

/** A generator of numbers in [0, 1) that gives the same ones for the same text (FNV-1a into mulberry32). */
function seededRandom(text: string): () => number {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
