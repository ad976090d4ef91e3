import { answerTextMaxLength, type QuestionDetails } from '../../../../contract/executions/question.ts';
import { toolArgumentsMaxLength } from '../../../../contract/executions/tool-call.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useRead } from '../../server-data/use-read.ts';
import { VisibleText } from '../console/files/visible-text.tsx';
import { useTools } from '../tools/use-tools.ts';
import styles from './questions.module.css';

/** The tool server that a call goes to, and its own name for the tool: models call it by another one. */
function CallServer({ projectId, tool }: { projectId: string; tool: string }) {
  const { t } = useTranslation('questions');
  const tools = useTools(projectId);
  const servers = useRead('toolServer.list', { params: { id: projectId } });
  const found = tools.value?.find(({ callName }) => callName === tool);
  const server = servers.value?.find(({ id }) => id === found?.serverId);
  if (!found || !server) return null;
  return (
    <p className={styles.place} data-testid="asked-server">
      {t('callServer')}: <bdi>{server.name}</bdi> ·{' '}
      <code>
        <VisibleText text={found.name} />
      </code>
      {server.url && <bdi> ({server.url})</bdi>}
    </p>
  );
}

type CallFieldsProps = {
  projectId: string;
  call: NonNullable<QuestionDetails['call']>;
  /** Whether the answer carries it out. Otherwise it may have been, and its result is asked for. */
  isCarriedOut: boolean;
  /** The arguments as edited, and the note or result. */
  args: string;
  text: string;
  isBroken: boolean;
  readOnly: boolean;
  onArgs: (args: string) => void;
  onText: (text: string) => void;
};

/** The characters of a line on a narrow screen. */
const lineLength = 40;

function shownLines(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);
}

/** The call that a question is about: its tool and arguments, and a note to the agent or the call's result. */
export function CallFields({ projectId, call, isCarriedOut, args, text, isBroken, readOnly, onArgs, onText }: CallFieldsProps) {
  const { t } = useTranslation('questions');
  const mayEdit = isCarriedOut && !readOnly;
  return (
    <>
      <p className={styles.place} data-testid="asked-call">
        {t('callTool')}: <code>{call.tool}</code> <Badge>{t(`effect.${call.effect}`)}</Badge>
      </p>
      {call.host !== undefined && (
        <p className={styles.place} data-testid="asked-host">
          {t('callHost')}: <bdi>{call.host}</bdi>
        </p>
      )}
      {call.source === 'server' && <CallServer projectId={projectId} tool={call.tool} />}
      {call.isChanged && (
        <p className={styles.problem} data-testid="asked-changed">
          {t('callChanged')}
        </p>
      )}
      <TextArea
        label={t(isCarriedOut && call.source !== 'files' ? 'callSends' : 'callArguments')}
        rows={Math.min(12, Math.max(3, shownLines(args)))}
        maxLength={toolArgumentsMaxLength}
        readOnly={!mayEdit}
        mono
        spellCheck={false}
        value={args}
        {...(isBroken && { error: t('callBroken') })}
        onChange={(event) => onArgs(event.target.value)}
      />
      <TextArea
        label={t(isCarriedOut ? 'callNote' : 'callResult')}
        grows
        rows={isCarriedOut ? 2 : 4}
        maxLength={answerTextMaxLength}
        readOnly={readOnly}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    </>
  );
}
