/** What an attempt knows so far: its messages, the notes for the store, the last fault. */
import type { ChannelNote, Message, RecipientNote, Transport } from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";

interface Fault {
  error: string;
  advice: string;
  notBefore?: number;
}

export class Progress {
  messages: Message[];
  readonly channels: ChannelNote[] = [];
  readonly recipients: RecipientNote[] = [];
  /** The channels that it has tried, or found without a free place. */
  readonly tried = new Set<Channel>();
  followed = false;
  filed = false;
  /** A channel had no free place. */
  full: Channel | undefined;
  /** The last fault that it met. */
  error: string | undefined;
  /** Korean: the same for the owner. */
  advice: string | undefined;
  failingSince: number | undefined;
  /** A time that a provider named. */
  notBefore: number | undefined;
  /** When the caps have room again. */
  cappedUntil: number | undefined;
  /** When a message that may be out can be looked for. */
  lookAt: number | undefined;

  constructor(messages: readonly Message[]) {
    this.messages = [...messages];
  }

  /** The message to a recipient, or what it would be if it began now. */
  messageTo(transport: Transport, recipient: string, now: number): Message {
    const known = this.messages.find(
      (each) => each.transport === transport && each.recipient === recipient,
    );
    if (known) return known;
    return {
      transport,
      recipient,
      state: "unsent",
      providerId: undefined,
      begunAt: now,
      copies: 0,
    };
  }

  noteMessage(message: Message): void {
    const { transport, recipient } = message;
    const others = this.messages.filter(
      (each) => each.transport !== transport || each.recipient !== recipient,
    );
    this.messages = [...others, message];
  }

  noteFault({ error, advice, notBefore }: Fault): void {
    this.error = error;
    this.advice = advice;
    if (notBefore !== undefined) this.notBefore = Math.max(this.notBefore ?? 0, notBefore);
  }

  foundFull(channel: Channel): void {
    this.tried.add(channel);
    this.full = channel;
  }
}
