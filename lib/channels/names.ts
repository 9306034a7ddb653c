/** The channels, in the order in which the owner reads them. registry.ts has a row for each channel. */
export const CHANNEL_NAMES = ["sms", "mail"] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];
