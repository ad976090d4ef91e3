import type { TFunction } from 'i18next';
import type { FC } from 'react';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import type { SettingsOf, Trigger, TriggerKind } from '../../../contract/trigger.ts';
import { bodyPaths, eventPaths } from './draft-kinds.ts';
import { ForgeFields } from './forge-fields.tsx';
import { ForgePart } from './forge-part.tsx';
import { MissedFields } from './missed-fields.tsx';
import { PathTable } from './path-table.tsx';
import { RepositoryOfProject } from './repository-of-project.tsx';
import { type DraftPartProps, ScheduleFields } from './schedule-fields.tsx';
import { scheduleWords } from './schedule-words.ts';
import { TeamValues } from './team-values.tsx';
import type { Triggers } from './use-triggers.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { WebhookPart } from './webhook-part.tsx';

/** How the page shows a kind of trigger. `draft-kinds.ts` says how its settings are typed, `server/modules/triggers/kinds/` what it does. */
type ViewOfKind<Kind extends TriggerKind> = {
  /** What stands above its form. */
  Above: FC<{ projectId: string }> | null;
  Fields: FC<DraftPartProps & { triggers: Triggers; isNew: boolean; team: ReleasedTeam | undefined }>;
  /** Fields that are folded away. */
  More: FC<DraftPartProps> | null;
  /** When it fires; null where that is not known before. */
  words: ((settings: SettingsOf<Kind>, t: TFunction<'triggers'>, language: string) => string) | null;
  /** What it waits for, in place of its next instant. */
  waits: ((t: TFunction<'triggers'>) => string) | null;
  /** Whether a fire is repeated by what came with it, which may not be kept. */
  hasBody: boolean;
  /** What more is shown of it. */
  Part: FC<{ trigger: Trigger; settings: SettingsOf<Kind>; triggers: Triggers }> | null;
};

const triggerKinds: { [Kind in TriggerKind]: ViewOfKind<Kind> } = {
  schedule: {
    Above: null,
    Fields: (props) => (
      <>
        <ScheduleFields {...props} />
        <TeamValues {...props} />
      </>
    ),
    More: MissedFields,
    words: ({ cron }, t, language) => scheduleWords(cron, t, language),
    waits: null,
    hasBody: false,
    Part: null,
  },
  webhook: {
    Above: null,
    Fields: (props) => (
      <>
        <WebhookFields {...props} />
        <PathTable {...props} paths={bodyPaths} note="paths.ofBody" />
      </>
    ),
    More: null,
    words: null,
    waits: (t) => t('kind.webhook.waits'),
    hasBody: true,
    Part: WebhookPart,
  },
  forge: {
    Above: RepositoryOfProject,
    Fields: (props) => (
      <>
        <ForgeFields {...props} />
        <PathTable {...props} paths={eventPaths} note="paths.ofEvent" />
      </>
    ),
    More: null,
    words: null,
    waits: (t) => t('kind.forge.waits'),
    hasBody: true,
    Part: ForgePart,
  },
};

/** In the order in which they are offered. */
export const offeredKinds = Object.keys(triggerKinds) as TriggerKind[];

export function viewOfKind<Kind extends TriggerKind>({ kind }: { kind: Kind }): ViewOfKind<Kind> {
  return triggerKinds[kind];
}
