export function withTimeout<Answer>(answer: Promise<Answer>, limitMs: number): Promise<Answer> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(reject, limitMs, new Error("no answer in time"));
  });
  return Promise.race([answer, late]);
}
