/** The answer, if it comes within this time. @throws when it does not, or when `answer` rejects */
export async function withTimeout<Answer>(
  answer: Promise<Answer>,
  limitMs: number,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
