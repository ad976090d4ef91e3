/** The child's side: answers each question of its parent. When the parent has ended, it closes its resources and exits. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>, putAway: () => Promise<void>): void {
  const say = (message: object) => process.connected && process.send?.(message);
  process.on('message', ({ id, question }: { id: number; question: Question }) => {
    answer(question).then(
      (value) => say({ id, answer: value }),
      (error: unknown) => say({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.once('disconnect', () => void putAway().finally(() => process.exit(0)));
}
