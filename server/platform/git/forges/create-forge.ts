import type { Egress } from '../../egress/egress.ts';
import type { KnownForge } from '../forge-calls.ts';
import type { Forge } from './forge.ts';
import { Gitea } from './gitea.ts';
import { GitHub } from './github.ts';
import { GitLab } from './gitlab.ts';

/** Makes the calls of all kinds of forges. */
export function createForge(egress: Egress): Forge {
  const kinds = { github: new GitHub(egress), gitlab: new GitLab(egress), gitea: new Gitea(egress) } satisfies Record<KnownForge, Forge>;
  return {
    self: (place) => kinds[place.forge].self(place),
    labelled: (place, label) => kinds[place.forge].labelled(place, label),
    changed: (place, since) => kinds[place.forge].changed(place, since),
    thread: (place, number) => kinds[place.forge].thread(place, number),
    lastLabelling: (place, number, label) => kinds[place.forge].lastLabelling(place, number, label),
    comments: (place, number) => kinds[place.forge].comments(place, number),
    mayWrite: (place, person) => kinds[place.forge].mayWrite(place, person),
    addComment: (place, number, text) => kinds[place.forge].addComment(place, number, text),
    changeComment: (place, number, id, text) => kinds[place.forge].changeComment(place, number, id, text),
    failure: (place, sha) => kinds[place.forge].failure(place, sha),
    openDraft: (place, draft) => kinds[place.forge].openDraft(place, draft),
  };
}
