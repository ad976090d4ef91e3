/** The child's side: answers each question of its parent, and when the parent has gone puts away what was opened and ends. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>, putAway: () => Promise<void>): void {
  process.on('message', ({ id, question }: { id: number; question: Question }) => {
    answer(question).then(
      (value) => process.send?.({ id, answer: value }),
      (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.once('disconnect', () => void putAway().finally(() => process.exit(0)));
}
