import type { ReactNode } from "react";
import { Copy } from "#components/ui/copy.tsx";

const SURFACES = {
  white: {
    card: "border border-asphalt-300 bg-white",
    title: "text-asphalt-900",
    text: "text-asphalt-600",
  },
  lane: { card: "bg-lane-500", title: "text-asphalt-900", text: "text-asphalt-900" },
  sign: { card: "bg-sign-800", title: "text-white", text: "text-sign-100" },
} as const;

interface FeatureCardProps {
  title: string;
  text: string;
  surface?: keyof typeof SURFACES;
  className?: string;
  /** A small drawn proof, at the bottom of the card. */
  children: ReactNode;
}

/** What the course offers: a title, one sentence, and something to see it by. */
export function FeatureCard({
  title,
  text,
  surface = "white",
  className = "",
  children,
}: FeatureCardProps) {
  const look = SURFACES[surface];
  return (
    <li className={`flex flex-col rounded-xl p-6 md:p-8 ${look.card} ${className}`}>
      <h3 className={`type-h3 ${look.title}`}>
        <Copy text={title} />
      </h3>
      <p className={`type-body mt-2 text-balance ${look.text}`}>
        <Copy text={text} />
      </p>
      <div className="mt-auto pt-6.5 md:pt-7.5">{children}</div>
    </li>
  );
}
