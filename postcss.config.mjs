/** Drops Tailwind's custom properties that no rule reads. */
const withoutUnreadProperties = {
  postcssPlugin: "without-unread-properties",
  OnceExit(root) {
    const read = new Set(String(root).match(/(?<=var\(\s*)--tw-[\w-]+/g));
    root.walkDecls(/^--tw-/, (declaration) => {
      if (!read.has(declaration.prop)) declaration.remove();
    });
  },
};

export default { plugins: ["@tailwindcss/postcss", withoutUnreadProperties] };
