/** One turn of a simulated agent: the part of a model request that its words depend on. */
export type SimulatedRequest = {
  /** The agent's role by name, and its shown title. */
  role: string;
  agentTitle: string;
  task: string;
  /** The results of earlier agents, in order. */
  earlier: readonly { title: string; text: string }[];
  /** Texts that users added during the run. */
  contexts: readonly string[];
  /** The language of the answer if the task has no letters. */
  language: 'ru' | 'en';
  /** The requirements of a graph on the answer. */
  inGraph?: SimulatedTurn;
};

type SimulatedTurn = {
  /** Labels to choose from; `leadsBack`: the label sends the work back. */
  choices: readonly { label: string; leadsBack: boolean }[];
  /** Other steps work through the answer as a list. */
  isList: boolean;
  /** The round of the review loop, from 0. */
  round: number;
  /** The item of a list that the turn works on. */
  item: { text: string } | null;
};

/** The parts that simulated agents play; a role that is none of these plays `generic`. */
export type SimulatedPart = 'assistant' | 'product' | 'project' | 'lead' | 'developer' | 'qa' | 'analyst' | 'generic';

/** The sentences of one language that simulated answers are made of. A role has a list of paragraphs, a paragraph its variants. */
export type SimulatedTexts = {
  /** Stop words of a task, separated by spaces. */
  stopWords: string;
  terms: readonly string[];
  context: string;
  built: string;
  first: string;
  choice: string;
  list: string;
  listItem: string;
  thoughts: { task: string; earlier: string; contexts: string };
  roles: Record<SimulatedPart, readonly (readonly string[])[]>;
};

export type TextsByLanguage = Record<'ru' | 'en', SimulatedTexts>;
