/** The four pages, in the order of the top bar. The footer shows those marked so. */
export interface NavigationItem {
  readonly href: string;
  readonly label: string;
  readonly english: string;
  readonly inFooter: boolean;
}

export const navigation: readonly NavigationItem[] = [
  { href: "/", label: "홈", english: "Home", inFooter: true },
  { href: "/gallery", label: "갤러리", english: "Gallery", inFooter: true },
  { href: "/pricing", label: "연수 비용", english: "Pricing", inFooter: false },
  { href: "/contact", label: "연수 신청", english: "Apply", inFooter: true },
];
