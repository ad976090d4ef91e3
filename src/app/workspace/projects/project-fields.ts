import { z } from 'zod';
import { type Project, projectDetails } from '../../../../contract/project.ts';
import { maxCalls, maxTurns } from '../../../../contract/step-room.ts';

/** The form of a project. Empty turns or calls are the usual ones. */
export const projectFields = projectDetails.extend({ maxTurns: typed(maxTurns), maxCalls: typed(maxCalls) });
export type ProjectFields = z.input<typeof projectFields>;

/** Returns the values of the form for a project; null for a new one. */
export function fieldsOf(project: Project | null): ProjectFields {
  return {
    name: project?.name ?? '',
    description: project?.description ?? '',
    status: project?.status ?? 'active',
    maxTurns: project?.maxTurns?.toString() ?? '',
    maxCalls: project?.maxCalls?.toString() ?? '',
  };
}

function typed(number: typeof maxTurns) {
  return z
    .string()
    .trim()
    .regex(/^\d*$/)
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(number.nullable());
}
