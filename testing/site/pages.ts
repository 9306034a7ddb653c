export const UNKNOWN_PATH = "/no-such-road";
export const CSP_HEADER = "content-security-policy";
export const CACHED_PAGE_CSP = /^default-src 'self'; script-src 'self'( 'sha256-[\w+/]{43}=')+;/;
