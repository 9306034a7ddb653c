/** The placeholder name that this site came with. Start-up and the doctor warn while it is unchanged. */
export const SAMPLE_NAME = "차근차근 운전연수";

/** Identity of the business. The number and the registered facts can also be set in the environment. */
export const business = {
  name: "차근차근 운전연수" as string,
  /** The name below the icon on a phone's home screen. */
  shortName: "운전연수",
  /** The service in the words that people search for. */
  service: "운전연수",
  /** The inquiry number that is shown unless INQUIRY_PHONE names another. */
  inquiryPhone: "010-0000-0000",
} as const;

/**
 * The one outside host that photos may come from. They are fetched through the site's own image
 * optimizer, so that a visitor's browser never talks to it.
 */
export const STOCK_PHOTO_HOST = "images.unsplash.com";
