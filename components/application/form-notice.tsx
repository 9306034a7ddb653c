import { PersonalDataNotice } from "#components/application/personal-data-notice.tsx";
import { Registration } from "#components/pricing/registration.tsx";
import { config } from "#lib/config.ts";

/** Above the button of every form: what becomes of the data, and that this is a registered academy. */
export function FormNotice() {
  return (
    <>
      <PersonalDataNotice retentionDays={config().retentionDays} />
      <Registration />
    </>
  );
}
