/** The channels with a provider, in the order in which the owner reads them. registry.ts has a row for each. */
export const PROVIDER_CHANNELS = ["sms", "mail"] as const;
export type ProviderChannel = (typeof PROVIDER_CHANNELS)[number];
/** `file`: while no other channel is configured, applications and weekly summaries become files. */
export const CHANNEL_NAMES = [...PROVIDER_CHANNELS, "file"] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];
