import { useFoldMemory } from './camera/use-fold-memory.ts';
import { EditAnnouncer } from './edit-announcer.tsx';

/** What a canvas of a project has, and the demonstration has not: news of edits for screen readers, and the folded groups that are kept. */
export function EditedCanvas() {
  useFoldMemory();
  return <EditAnnouncer />;
}
