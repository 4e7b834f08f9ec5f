/**
 * Replaces `node:process` in the build: esbuild would copy all its properties for each module that imports it. First
 * frame: 1 % of the budget.
 */
// biome-ignore lint/style/noDefaultExport: libraries import it so
export default process;
export const {cwd, env} = process;
