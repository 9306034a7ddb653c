import { HONEYPOT_FIELD } from "#lib/application/fields.ts";

/**
 * A field for programs that fill in whatever they find. It lies off the screen, out of the tab order and
 * out of the accessibility tree; the attributes tell autofill and password managers to leave it alone.
 */
export function Honeypot() {
  return (
    <div aria-hidden className="absolute -left-[300rem] size-px overflow-hidden">
      <input
        type="text"
        name={HONEYPOT_FIELD}
        tabIndex={-1}
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        data-bwignore
      />
    </div>
  );
}
