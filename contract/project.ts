import { z } from 'zod';
import { entity, id } from './common.ts';

export const projectStatuses = ['draft', 'active', 'onHold', 'completed', 'archived'] as const;

export const project = entity.extend({
  name: z.string(),
  description: z.string(),
  status: z.enum(projectStatuses),
  isDemo: z.boolean(),
  userId: id,
});
export type Project = z.infer<typeof project>;

/** `default` stands for the signed-in user's first project. */
export const projectId = id.or(z.literal('default'));
