/** Version of the package, put in by the build. */
declare const __VERSION__: string;
/** Identities of the scripts of the build by their names, put in by the build: the program, and libraries that run late. */
declare const __SCRIPTS__: Readonly<Record<string, string>>;

/** Node's types know its name only. */
declare namespace WebAssembly {
	class Memory {
		constructor(size: {readonly initial: number});
		readonly buffer: ArrayBuffer;
	}
}
