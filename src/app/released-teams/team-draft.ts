import type { FieldAuthor, InputField, ReleasedTeam } from '../../../contract/released-team.ts';
import { latinName } from '../../../rules/text/latin-letters.ts';

export type DraftField = { key: number; kind: InputField['kind']; name: string; title: string; isOptional: boolean; choices: string };
/** What is written in the form of a released team. */
export type TeamDraft = { slug: string; title: string; task: string; atOnce: string; filledBy: FieldAuthor; fields: DraftField[] };

/** A new team asks each call for its task. The goal of a dialog says what the team is for, and is no task of a call. */
export function newDraft({ title, taskLabel }: { title: string; taskLabel: string }): TeamDraft {
  const field: DraftField = { key: 0, kind: 'text', name: 'task', title: taskLabel, isOptional: false, choices: '' };
  return { slug: slugOf(title), title, task: '{task}', atOnce: '5', filledBy: 'outsiders', fields: [field] };
}

/** The name of an address that a title makes. */
export function slugOf(title: string): string {
  return latinName(title).slice(0, 60).replace(/-$/, '');
}

export function draftOf({ slug, title, task, atOnce, filledBy, input }: ReleasedTeam): TeamDraft {
  const fields = input.map((field, key) => ({ ...field, key, choices: field.kind === 'choice' ? field.choices.join('\n') : '' }));
  return { slug, title, task, atOnce: String(atOnce), filledBy, fields };
}

/** What the form sends, as it is written. */
export function teamOf({ fields, atOnce, ...texts }: TeamDraft) {
  const lines = (choices: string) => choices.split('\n').filter((line) => line.trim() !== '');
  const input = fields.map(({ key: _key, choices, ...field }) => (field.kind === 'choice' ? { ...field, choices: lines(choices) } : field));
  return { ...texts, atOnce: Number(atOnce), input };
}
