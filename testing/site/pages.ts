export const UNKNOWN_PATH = "/no-such-road";
export const CSP_HEADER = "content-security-policy";
export const CACHED_PAGE_CSP_PATTERN =
  /^default-src 'self'; script-src 'self'( 'sha256-[\w+/]{43}=')+;/;

/**
 * Two times, because a page may still show the day before: the server renders the pages of a new day up to a minute
 * after midnight in Seoul, later on a busy machine.
 */
export const renderTimes = () => [Date.now() - 300_000, Date.now()];
