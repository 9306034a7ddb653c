export const UNKNOWN_PATH = "/no-such-road";
export const POLICY_HEADER = "content-security-policy";
export const CACHED_PAGE_POLICY = /^default-src 'self'; script-src 'self'( 'sha256-[\w+/]{43}=')+;/;
