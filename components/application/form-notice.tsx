import { PersonalDataNotice } from "#components/application/personal-data-notice.tsx";
import { Registration } from "#components/pricing/registration.tsx";
import { config } from "#lib/config.ts";

/** The notices above the button of a form on a page: what happens to the data, and the academy's registration. */
export function FormNotice() {
  return (
    <>
      <PersonalDataNotice retentionDays={config().retentionDays} />
      <Registration />
    </>
  );
}
