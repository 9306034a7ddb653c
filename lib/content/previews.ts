/** Written by `npm run previews`; not by hand. */
export const previewSize = { width: 1200, height: 630 } as const;

/** Each page's preview picture, and what it was drawn from. */
export const previews = {
  home: { file: "/previews/home-9a83f22070e7.jpg", drawnFrom: "ae813764fe6f" },
  gallery: { file: "/previews/gallery-024212854fa8.jpg", drawnFrom: "8bd0ee439a47" },
  pricing: { file: "/previews/pricing-e9b0217d402a.jpg", drawnFrom: "e9b211816b4d" },
  contact: { file: "/previews/contact-c4da56f4c35f.jpg", drawnFrom: "ce335982fd12" },
  privacy: { file: "/previews/privacy-4c9d14bcb803.jpg", drawnFrom: "226f58f0ea62" },
} as const;
