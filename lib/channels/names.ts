/** The channels, in the order in which the owner reads them. Each has a row in registry.ts. */
export const CHANNEL_NAMES = ["sms", "mail"] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];
