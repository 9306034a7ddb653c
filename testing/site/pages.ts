export const UNKNOWN_PATH = "/no-such-road";
export const CSP_HEADER = "content-security-policy";
export const CACHED_PAGE_CSP = /^default-src 'self'; script-src 'self'( 'sha256-[\w+/]{43}=')+;/;

/** The server renders the pages of a new day up to a minute, on a busy machine more, after midnight in Seoul. */
export const renderTimes = () => [Date.now() - 300_000, Date.now()];
