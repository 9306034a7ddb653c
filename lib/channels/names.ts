/** The channels, in the order in which the owner reads them. registry.ts has a row for each channel. */
export const CHANNEL_NAMES = ["sms", "mail"] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];
/** `file`: while no other channel is configured, applications and weekly summaries become files. */
export const MESSAGE_CHANNEL_NAMES = [...CHANNEL_NAMES, "file"] as const;
export type MessageChannelName = (typeof MESSAGE_CHANNEL_NAMES)[number];
