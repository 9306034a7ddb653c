/**
 * Drops Tailwind's custom properties that no rule reads, and every border style that only repeats Tailwind's reset: a
 * border is solid unless a class says otherwise.
 */
const withoutUselessDeclarations = {
  postcssPlugin: "without-useless-declarations",
  OnceExit(root) {
    root.walkDecls(/^border(-\w+)*-style$/, (declaration) => {
      if (declaration.value === "var(--tw-border-style)") declaration.remove();
    });
    const read = new Set(String(root).match(/(?<=var\(\s*)--tw-[\w-]+/g));
    root.walkDecls(/^--tw-/, (declaration) => {
      if (!read.has(declaration.prop)) declaration.remove();
    });
    root.walkAtRules("property", (rule) => {
      if (!read.has(rule.params)) rule.remove();
    });
  },
};

export default { plugins: ["@tailwindcss/postcss", withoutUselessDeclarations] };
