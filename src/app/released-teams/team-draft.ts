import { z } from 'zod';
import { type FieldAuthor, type InputField, type ReleasedTeam, teamRelease } from '../../../contract/released-team.ts';
import { latinName } from '../../../rules/text/latin-letters.ts';

type DraftField = { kind: InputField['kind']; name: string; title: string; isOptional: boolean; choices: string };
/** What is written in the form of a released team. */
export type TeamDraft = { slug: string; title: string; task: string; atOnce: string; filledBy: FieldAuthor; input: DraftField[] };

export const newField: DraftField = { kind: 'text', name: '', title: '', isOptional: false, choices: '' };

/** A new team asks each call for its task. The goal of a dialog says what the team is for, and is no task of a call. */
export function newDraft({ title, taskLabel }: { title: string; taskLabel: string }): TeamDraft {
  const field = { ...newField, name: 'task', title: taskLabel };
  return { slug: slugOf(title), title, task: '{task}', atOnce: '5', filledBy: 'outsiders', input: [field] };
}

/** The name of an address that a title makes. */
export function slugOf(title: string): string {
  return latinName(title).slice(0, 60).replace(/-$/, '');
}

export function draftOf({ slug, title, task, atOnce, filledBy, input }: ReleasedTeam): TeamDraft {
  const fields = input.map((field) => ({ ...field, choices: field.kind === 'choice' ? field.choices.join('\n') : '' }));
  return { slug, title, task, atOnce: String(atOnce), filledBy, input: fields };
}

/** The pipeline is made when the form is sent. */
const rules = teamRelease.omit({ pipelineId: true, canvasVersion: true });
/** The form, and what it sends of what is written. */
export const teamFields = z.preprocess((draft) => teamOf(draft as TeamDraft), rules) as unknown as z.ZodType<
  z.output<typeof rules>,
  TeamDraft
>;

function teamOf({ input, atOnce, ...texts }: TeamDraft) {
  const lines = (choices: string) => choices.split('\n').filter((line) => line.trim() !== '');
  const fields = input.map(({ choices, ...field }) => (field.kind === 'choice' ? { ...field, choices: lines(choices) } : field));
  return { ...texts, atOnce: Number(atOnce), input: fields };
}
