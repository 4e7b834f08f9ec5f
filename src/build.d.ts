/** The package version, injected by the build. */
declare const __VERSION__: string;
/** Content ids of the build's scripts (the program and its lazy libraries) by name, injected by the build. */
declare const __SCRIPTS__: Readonly<Record<string, string>>;
declare module '*.md' {
	const text: string;

	// biome-ignore lint/style/noDefaultExport: what esbuild's loader of texts exports.
	export {text as default};
}
