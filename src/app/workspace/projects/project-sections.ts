import type { Project } from '../../../../contract/project.ts';
import { type Hue, hues } from '../../../model/agents/roles.ts';
import { matchesQuery } from '../sidebar/matches-query.ts';

type ProjectSections = { shown: Project[]; archived: Project[] };

/** Returns the projects whose name or description contains the query: first the open one, then by last edit. Archived ones are separate. */
export function projectSections(projects: readonly Project[], query: string, currentId: string | null): ProjectSections {
  const sorted = projects
    .filter(({ name, description }) => matchesQuery(`${name} ${description}`, query))
    .sort((a, b) => Number(b.id === currentId) - Number(a.id === currentId) || b.updatedAt.localeCompare(a.updatedAt));
  return {
    shown: sorted.filter(({ status, id }) => status !== 'archived' || id === currentId),
    archived: sorted.filter(({ status, id }) => status === 'archived' && id !== currentId),
  };
}

/** Returns the project to open after one is removed: the last edited one, if possible not archived; null when there is none. */
export function nextProject(projects: readonly Project[], goneId: string): string | null {
  const { shown, archived } = projectSections(
    projects.filter(({ id }) => id !== goneId),
    '',
    null,
  );
  return shown[0]?.id ?? archived[0]?.id ?? null;
}

/** Returns a project's colour in the list. It depends only on the project and never changes. */
export function projectHue(id: string): Hue {
  const sum = [...id].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 100_003, 0);
  return hues[sum % (hues.length - 2)] ?? 'slate';
}
