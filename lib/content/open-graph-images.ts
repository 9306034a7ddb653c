/** Written by `npm run previews`; not by hand. */
export const openGraphImageSize = { width: 1200, height: 630 } as const;

/** Each page's preview picture, and what it was drawn from. */
export const openGraphImages = {
  home: { file: "/previews/home-7eb06b78ce52.jpg", drawnFrom: "14527e97e364" },
  gallery: { file: "/previews/gallery-3e8c2c77c122.jpg", drawnFrom: "009116a09359" },
  pricing: { file: "/previews/pricing-c41a71fb935f.jpg", drawnFrom: "736d8322f576" },
  contact: { file: "/previews/contact-400867232e68.jpg", drawnFrom: "4482460c6db4" },
  privacy: { file: "/previews/privacy-4c9d14bcb803.jpg", drawnFrom: "3fa55686cdcb" },
} as const;
