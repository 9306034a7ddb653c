/** Tailwind writes each weight, tracking and leading a second time, for utilities that this site does not use. */
const withoutCopies = {
  postcssPlugin: "without-copies",
  OnceExit(root) {
    root.walkDecls(/^--tw-(font-weight|tracking|leading)$/, (copy) => {
      copy.remove();
    });
  },
};

export default { plugins: ["@tailwindcss/postcss", withoutCopies] };
