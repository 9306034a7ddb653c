import { FORM_PAGE, formHref } from "#lib/content/links.ts";

/** The four pages, in the order of the top bar. The footer shows those marked so. */
export interface NavigationItem {
  /** The page, for knowing whether the visitor is on it. */
  readonly path: string;
  /** Where on the page the link leads: what says 신청 leads to the form. */
  readonly href: string;
  readonly label: string;
  readonly english: string;
  readonly inFooter: boolean;
}

export const navigation: readonly NavigationItem[] = [
  { path: "/", href: "/", label: "홈", english: "Home", inFooter: true },
  { path: "/gallery", href: "/gallery", label: "갤러리", english: "Gallery", inFooter: true },
  { path: "/pricing", href: "/pricing", label: "연수 비용", english: "Pricing", inFooter: false },
  { path: FORM_PAGE, href: formHref, label: "연수 신청", english: "Apply", inFooter: true },
];
