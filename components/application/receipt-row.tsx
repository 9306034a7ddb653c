import type { ReactNode } from "react";

/** One line of a receipt, within a `dl`: what it is, and what it says. */
export function ReceiptRow({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-4 border-asphalt-300 border-b py-3.5">
      <dt className="min-w-20 text-asphalt-600 sm:w-40">{label}</dt>
      <dd className="min-w-0 font-strong text-asphalt-900 tabular wrap-anywhere">{value}</dd>
    </div>
  );
}
