import type { CanvasNode } from '../../../../contract/canvas.ts';
import { costText } from '../../../model/run/cost-text.ts';
import { durationText } from '../../../ui/i18n/duration.ts';
import type { TextsOf } from '../../../ui/i18n/use-translation.ts';
import { linkWords } from '../../link-words.ts';
import { markWords, toolWords } from '../../tool-words.ts';
import type { CardTexts } from './card-texts.ts';

type CanvasT = TextsOf<'canvas'>;
/** The sentence for a code, or null when the locales know none. */
type Sentence = (code: string) => string | null;
/** The text for a key that a node carries, or null when the locales know none. */
type ByKey = (key: string) => string | null;

/** The cards' words from the locales. A node's own title wins over its key, a known failure's sentence over the server's message. */
export function createCardTexts(language: string, t: CanvasT, sentence: Sentence, byKey: ByKey): CardTexts {
  const numbers = new Intl.NumberFormat(language);
  const tokens = filled(t('card.tokens', { amount: hole }));
  const tries = filled(t('card.tries', { amount: hole }));
  const round = filled(t('card.round', { amount: hole }));
  const rounds = new Map<number, (amount: string) => string>();
  const roundOf = (of: number) => {
    const known = rounds.get(of) ?? filled(t('card.roundOf', { amount: hole, total: of }));
    rounds.set(of, known);
    return known;
  };
  const list = t('card.list');
  const costWords = {
    unknown: t('card.costUnknown'),
    andUnknown: (amounts: string) => `${amounts} + ?`,
    estimated: (amounts: string) => `≈ ${amounts}`,
  };
  const nodeTitle = (node: CanvasNode) => node.title.trim() || (node.titleKey && byKey(node.titleKey)) || node.name || '';
  return {
    language,
    state: {
      idle: t('card.state.idle'),
      waiting: t('card.state.waiting'),
      active: t('card.state.active'),
      paused: t('card.state.paused'),
      done: t('card.state.done'),
      failed: t('card.state.failed'),
      stopped: t('card.state.stopped'),
      skipped: t('card.state.skipped'),
    },
    member: t('card.member'),
    leftOut: t('card.leftOut'),
    passedBy: t('card.passedBy'),
    outside: t('card.outside'),
    asked: t('card.asked'),
    simulated: t('words:simulated'),
    busy: t('card.busy'),
    disabled: t('card.disabled'),
    noAgent: t('card.noAgent'),
    modelEnded: t('card.modelEnded'),
    next: t('card.next'),
    queue: (position) => t('card.queue', { position }),
    duration: (ms) => durationText(ms, language),
    tokens: (count) => tokens(numbers.format(count)),
    round: (number, of) => (of === null ? round : roundOf(of))(numbers.format(number)),
    cost: (cost) => costText(cost, language, costWords),
    tries: (count) => tries(numbers.format(count)),
    tools: (step) => toolWords(step, t),
    marks: (step) => markWords(step, t),
    dialog: { placeholder: t('dialog.placeholder'), to: t('common:recipient'), noTarget: t('dialog.noTarget'), send: t('common:send') },
    failure: ({ code, message }) => sentence(code) ?? message,
    groupName: (node, progress) =>
      [nodeTitle(node), progress ? `${progress.done}/${progress.total}` : node.forEach && list].filter(Boolean).join(' · '),
    link: (settings, meaning) => linkWords(settings, meaning, t),
    nodeTitle,
    nodeDescription: (node) => node.description?.trim() || (node.descriptionKey && byKey(node.descriptionKey)) || '',
  };
}

const hole = '\u0000';

/** A sentence with one hole, to be filled many times: looking a sentence up takes longer than drawing its card. */
function filled(sentence: string): (amount: string) => string {
  const [before = '', after = ''] = sentence.split(hole);
  return (amount) => before + amount + after;
}
