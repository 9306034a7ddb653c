/** The site warns at its start while the business has this name. */
export const SAMPLE_BUSINESS_NAME = "차근차근 운전연수";

/** The setting INQUIRY_PHONE replaces `inquiryPhone`. */
export const business = {
  name: "차근차근 운전연수" as string,
  /** The name below the icon on a phone's home screen. */
  shortName: "운전연수",
  /** The service in the words that people search for. */
  service: "운전연수",
  inquiryPhone: "010-0000-0000",
} as const;

/**
 * Photos may also come from this host, in sizes that it makes itself (lib/content/picture.ts). A visitor's browser then
 * asks the host, which learns the visitor's address; /privacy then says so.
 */
export const STOCK_PHOTO_HOST = "images.unsplash.com";
