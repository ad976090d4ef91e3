import { useEffect } from 'react';
import { type Updater, useImmer } from 'use-immer';
import { z } from 'zod';
import { type AnswerDraft, emptyDraft } from './answer-draft.ts';

const storedDraft = z.object({ texts: z.record(z.string(), z.string()), text: z.string().nullable() });

/**
 * The draft of an answer. What is typed survives a reload of the tab, and ends with the tab, since the device may be shared. Chosen
 * files are not stored.
 */
export function useAnswerDraft(token: string): [AnswerDraft, Updater<AnswerDraft>] {
  const [draft, update] = useImmer<AnswerDraft>(() => readDraft(token));
  useEffect(() => {
    try {
      const { texts, text } = draft;
      sessionStorage.setItem(keyOf(token), JSON.stringify({ texts, text }));
    } catch {
      // Storage is denied or full: the draft lasts as long as the page.
    }
  }, [token, draft]);
  return [draft, update];
}

/** Removes the stored draft of an answer that was sent. */
export function forgetDraft(token: string): void {
  try {
    sessionStorage.removeItem(keyOf(token));
  } catch {
    return;
  }
}

function readDraft(token: string): AnswerDraft {
  try {
    const stored = storedDraft.safeParse(JSON.parse(sessionStorage.getItem(keyOf(token)) ?? 'null'));
    return stored.success ? { ...emptyDraft, ...stored.data } : emptyDraft;
  } catch {
    return emptyDraft;
  }
}

const keyOf = (token: string) => `answer ${token}`;
